"""Problems other than mazes."""
