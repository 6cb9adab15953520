"""Entry point of ``python -m divergent``, which runs the console command `divergent`."""

from divergent._command_line import start

if __name__ == "__main__":
    start("divergent.cli")
