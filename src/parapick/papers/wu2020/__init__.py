"""wu2020, the asymmetric robot with a screw: its loop by reading, its gains, and its experiment in simulation."""
