"""Projects of B&R Automation Studio: reader and writer beside each other."""
