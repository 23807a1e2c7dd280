"""Figures and reports: the only room below the commands that draws."""
