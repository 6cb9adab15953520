"""The console command as a module: python -m divergent."""

from divergent.command import start

if __name__ == "__main__":
    start("divergent.cli")
