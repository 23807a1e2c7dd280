"""What follows from a robot's description, as expressions; `Model` is its public face."""

from __future__ import annotations

from parapick.model.kernels import EXPRESSIONS
from parapick.model.margins import Margins
from parapick.model.model import Kinematics, Model
from parapick.model.reach import Reach

__all__ = ["EXPRESSIONS", "Kinematics", "Margins", "Model", "Reach"]
