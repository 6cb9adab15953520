"""The console command as a module: python -m divergent."""

from divergent._command_line import start

if __name__ == "__main__":
    start("divergent.cli")
