"""Draw mazes, networks, searches and results; every function returns the matplotlib axes it drew on."""
