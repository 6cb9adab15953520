"""Module that runs the console command: python -m divergent."""

from divergent._command_line import start

if __name__ == "__main__":
    start("divergent.cli")
