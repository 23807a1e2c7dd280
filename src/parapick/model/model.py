"""The public Model: a robot whose kinematics run natively for any batch of poses.

What few commands ask for is imported by the method that answers.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from parapick.formulas import sharing_kernel
from parapick.kernel import Kernel
from parapick.mechanism import Load, Payload, Robot, ToolLoads, WorkingMode, in_mode, mode_of, modes_of
from parapick.model.answers import DriveLoad, Energy, JointSpace, Kinematics, MixedSpace, by_part, check_square
from parapick.model.clearance import Clearance
from parapick.model.display import model_page, model_text
from parapick.model.forces import InnerForces
from parapick.model.margins import Indices, Margins
from parapick.model.plate_joints import PlateJointLoads, plate_joint_loads_at
from parapick.model.reach import Reach, reach_at
from parapick.model.robot_kernels import RobotKernels
from parapick.model.singularity import Singularity, singularities_at
from parapick.model.yaw_interval import YawInterval
from parapick.motors import JUDGED, LEAST_NORM, Motors, check_sharing
from parapick.parameters import structure


@final
@dataclasses.dataclass(frozen=True, eq=False)
class Model:
    """A robot that computes. Every method takes any leading batch and answers NaN where a leg cannot close.

    Attributes:
        robot: the frozen description; its gripper is always there.
        payload: what the tool holds beyond the gripper, in the place of what a motion carries; None for that, if any.
        sharing: how the motors of a redundant robot share, "least-norm" or "least-peak"; None for least norm where
            torques of a state are asked for, and least peak where limits are judged. Without effect on other robots.
        original: the description before numbers of it were changed; None where none was.
    """

    robot: Robot
    payload: Payload | None = None
    sharing: str | None = None
    original: Robot | None = None

    def __repr__(self) -> str:
        return model_text(self.robot, self.loads)

    def _repr_html_(self) -> str:
        return model_page(self.robot, self.loads)

    @cached_property
    def kernels(self) -> RobotKernels:
        """The robot with its kernels: `kernels("reach", x)` calls one."""
        return RobotKernels.of(self.robot)

    @cached_property
    def parameters(self) -> np.ndarray:
        """The numbers of the robot, the last input of every kernel, in the order of `leaves(robot)`."""
        return self.kernels.parameters

    @cached_property
    def numbers(self) -> Robot:
        """The robot with every number that follows another one replaced by its value."""
        return self.kernels.numbers

    @cached_property
    def gripper(self) -> Payload:
        """The gripper of the robot's file."""
        return Payload.held(self.numbers.gripper)

    @cached_property
    def held(self) -> Payload:
        """What the tool holds at a pose: the gripper, and the payload if one is given."""
        return self.gripper if self.payload is None else self.gripper + self.payload

    @property
    def loads(self) -> ToolLoads:
        """Masses of gripper and payload, each by itself."""
        return ToolLoads(self.gripper.mass, 0.0 if self.payload is None else self.payload.mass)

    @cached_property
    def motors(self) -> Motors:
        """What the drives allow."""
        return self.kernels.motors

    def kernel(self, name: str) -> Kernel:
        """The native kernel of a quantity.

        Args:
            name: one of the names of `parapick.formulas.kernels.EXPRESSIONS`, such as "kinematics".
        """
        return self.kernels.kernel(name)

    def inverse_kinematics(self, x: ArrayLike) -> np.ndarray:
        """Joint angles (..., n), rad, in the model's working mode; NaN where unreachable.

        Args:
            x: task vectors (..., dof), m and rad.
        """
        return self.kernels("inverse_kinematics", x)[0]

    def kinematics(self, x: ArrayLike) -> Kinematics:
        """Joint angles and inverse Jacobian together, for the price of a little more than one.

        Args:
            x: task vectors (..., dof), m and rad.
        """
        return Kinematics(*self.kernels("kinematics", x))

    def forward_kinematics(self, q: ArrayLike, guess: ArrayLike | None = None) -> np.ndarray:
        """Task vector (..., dof) of joint angles, the solution Newton's method finds from a guess.

        It closes every leg to 1e-12 m or is NaN. It is unique near the guess only: far from it, another assembly mode
        may come out. Redundant robots are solved in the least-squares sense over all encoders; `closure_residual`
        says what is left.

        Args:
            q: joint angles (..., n), rad.
            guess: task vectors (..., dof) to start from; the robot's home if not given.
        """
        return self.kernels("forward_kinematics", q, self.robot.home if guess is None else guess)[0]

    def assembly_modes(self, q: ArrayLike) -> np.ndarray:
        """Every real solution (k, dof) of the forward problem of one set of joint angles, the closest to home first.

        Args:
            q: joint angles (n,), rad.
        """
        from parapick.model.assembly import assembly_modes

        return assembly_modes(self.kernels, q)

    def closure_residual(self, x: ArrayLike, q: ArrayLike) -> np.ndarray:
        """What is left of every closure (..., n): rod length error in m, or joint error in rad for linear legs.

        Args:
            x: task vectors (..., dof), m and rad.
            q: joint angles (..., n), rad.
        """
        return self.kernels("closure_residual", x, q)[0]

    def inverse_jacobian(self, x: ArrayLike) -> np.ndarray:
        """Inverse Jacobian (..., n, dof): `qd = J xd`.

        Args:
            x: task vectors (..., dof), m and rad.
        """
        return self.kernels("inverse_jacobian", x)[0]

    def inverse_jacobian_rate(self, x: ArrayLike, xd: ArrayLike) -> np.ndarray:
        """Rate of the inverse Jacobian (..., n, dof): `qdd = J xdd + Jd xd`.

        Args:
            x, xd: task vectors (..., dof) and their rates, in m, rad and s.
        """
        return self.kernels("inverse_jacobian_rate", x, xd)[0]

    def joint_rates(self, x: ArrayLike, xd: ArrayLike) -> np.ndarray:
        """Joint rates (..., n), rad/s.

        Args:
            x, xd: task vectors (..., dof) and their rates, in m, rad and s.
        """
        return self.kernels("joint_rates", x, xd)[0]

    def joint_accelerations(self, x: ArrayLike, xd: ArrayLike, xdd: ArrayLike) -> np.ndarray:
        """Joint accelerations (..., n), rad/s2.

        Args:
            x, xd, xdd: task vectors (..., dof), their rates and their accelerations, in m, rad and s.
        """
        return self.kernels("joint_accelerations", x, xd, xdd)[0]

    def joint_jerks(self, x: ArrayLike, xd: ArrayLike, xdd: ArrayLike, xddd: ArrayLike) -> np.ndarray:
        """Joint jerks (..., n), rad/s3.

        Args:
            x, xd, xdd, xddd: task vectors (..., dof), their rates, accelerations and jerks, in m, rad and s.
        """
        return self.kernels("joint_jerks", x, xd, xdd, xddd)[0]

    def reach(self, x: ArrayLike) -> Reach:
        """Slack of every leg, joint limit and yaw limit; negative is what is missing.

        Args:
            x: task vectors (..., dof), m and rad.
        """
        return reach_at(self.kernels, x)

    def margins(self, x: ArrayLike) -> Margins:
        """Dimensionless distance to the singularities; NaN where unreachable.

        Args:
            x: task vectors (..., dof), m and rad.
        """
        return Margins(*self.kernels("margins", x))

    def clearance(self, x: ArrayLike) -> Clearance:
        """Smallest distances between links of different legs, and which two come nearest.

        Args:
            x: task vectors (..., dof), m and rad.
        """
        return Clearance.of(self.robot, self.kernels("clearance", x))

    def yaw_interval(
        self,
        position: ArrayLike,
        *,
        start: ArrayLike | None = None,
        step: float | None = None,
        margin: float | None = None,
        clearance: float | None = None,
    ) -> YawInterval:
        """How far the plate can turn either way from a start, at each position.

        Args:
            position: positions (..., 3), m.
            start: yaw to start from (rad); the robot's home if not given.
            step: step of the scan (rad).
            margin: smallest value that each margin to a singularity must keep.
            clearance: smallest distance between links of different legs (m).
        """
        from parapick.model.yaw import yaw_interval

        return yaw_interval(self.kernels, position, start=start, step=step, margin=margin, clearance=clearance)

    def indices(self, x: ArrayLike) -> Indices:
        """Conditioning and manipulability of the Jacobians; NaN where unreachable.

        Args:
            x: task vectors (..., dof), m and rad.
        """
        return Indices(*self.kernels("indices", x))

    def singularities(self, x: ArrayLike) -> Sequence[Singularity]:
        """The kinds of singularity at one pose, the nearest first, with the motion or force that is lost.

        Args:
            x: one task vector (dof,), m and rad.
        """
        return singularities_at(self.kernels, x)

    def inverse_dynamics(
        self, x: ArrayLike, xd: ArrayLike, xdd: ArrayLike, *, sharing: str | None = None
    ) -> np.ndarray:
        """Torques at the arm axes (..., n), N m: rigid bodies and reflected motor inertia, without friction.

        Args:
            x, xd, xdd: task vectors (..., dof), their rates and their accelerations, in m, rad and s.
            sharing: how a redundant robot's motors share: "least-norm", corbel2010 (49), or "least-peak"; that of the
                model, else "least-norm", if not given.
        """
        kernel, load, parameters = self._torques
        if sharing is not None:
            kernel = self.kernel(sharing_kernel(self.robot, "inverse_dynamics", sharing))
        return kernel(x, xd, xdd, load, parameters)[0]

    def torque_parts(self, x: ArrayLike, xd: ArrayLike, xdd: ArrayLike) -> dict[str, np.ndarray]:
        """Torques (..., n), N m, by what they are spent on; they add up to `inverse_dynamics`.

        Args:
            x, xd, xdd: task vectors (..., dof), their rates and their accelerations, in m, rad and s.
        """
        return by_part(self.kernels("inverse_dynamics_parts", x, xd, xdd, self._load)[0])

    def forward_dynamics(self, x: ArrayLike, xd: ArrayLike, tau: ArrayLike) -> np.ndarray:
        """Task acceleration (..., dof) under torques at the arm axes, without friction.

        Args:
            x, xd: task vectors (..., dof) and their rates, in m, rad and s.
            tau: torques (..., n), N m.
        """
        return self.kernels("forward_dynamics", x, xd, tau, self._load)[0]

    def mass_matrix(self, x: ArrayLike) -> np.ndarray:
        """Task-space mass matrix M (..., dof, dof) of `M xdd + h = J' tau`.

        Args:
            x: task vectors (..., dof), m and rad.
        """
        return self.kernels("mass_matrix", x, self._load)[0]

    def bias(self, x: ArrayLike, xd: ArrayLike) -> np.ndarray:
        """Task-space bias h (..., dof): velocity products and gravity.

        Args:
            x, xd: task vectors (..., dof) and their rates, in m, rad and s.
        """
        return self.kernels("bias", x, xd, self._load)[0]

    def joint_space(self, x: ArrayLike, xd: ArrayLike) -> JointSpace:
        """Joint-space matrices of a square robot, at a task vector: M, the Christoffel matrix C, and gravity G.

        Args:
            x, xd: task vectors (..., dof) and their rates, in m, rad and s.
        """
        check_square(self.robot)
        return JointSpace(*self.kernels("joint_space", x, xd, self._load))

    def mixed_space(self, x: ArrayLike, xd: ArrayLike) -> MixedSpace:
        """Torques linear in the task acceleration, righettini2024 (15).

        Args:
            x, xd: task vectors (..., dof) and their rates, in m, rad and s.
        """
        return MixedSpace(*self.kernels("mixed_space", x, xd, self._load))

    def energy(self, x: ArrayLike, xd: ArrayLike) -> Energy:
        """Kinetic and potential energy (...), J.

        Args:
            x, xd: task vectors (..., dof) and their rates, in m, rad and s.
        """
        return Energy(*self.kernels("energy", x, xd, self._load))

    def drive_torque(self, x: ArrayLike, xd: ArrayLike, xdd: ArrayLike, *, sharing: str | None = None) -> DriveLoad:
        """Motor-side torque and speed with friction, ratio and efficiency.

        Args:
            x, xd, xdd: task vectors (..., dof), their rates and their accelerations, in m, rad and s.
            sharing: how a redundant robot's motors share: "least-norm" as `inverse_dynamics` does, before friction
                and losses, or "least-peak", so that the largest torque at a shaft is least; that of the model, else
                "least-norm", if not given.
        """
        name = sharing_kernel(self.robot, "drive_torque", sharing or self.sharing or LEAST_NORM)
        return DriveLoad(*self.kernels(name, x, xd, xdd, self._load))

    def inner_forces(self, x: ArrayLike, xd: ArrayLike, xdd: ArrayLike) -> InnerForces:
        """Forces in the rods and at elbows, plate joints and arm bearings.

        Args:
            x, xd, xdd: task vectors (..., dof), their rates and their accelerations, in m, rad and s.
        """
        return InnerForces(*self.kernels("inner_forces", x, xd, xdd, self._load))

    def plate_joint_loads(self, x: ArrayLike, xd: ArrayLike, xdd: ArrayLike) -> PlateJointLoads:
        """Forces and moments in the plate's own joints: hinges, guides, screw, telescope, bearing of the tool.

        Args:
            x, xd, xdd: task vectors (..., dof), their rates and their accelerations, in m, rad and s.

        Raises:
            ParameterError: the file lacks a number that they depend on, such as `plate.bar_spacing`.
        """
        return plate_joint_loads_at(self.kernels, x, xd, xdd, self._load)

    @cached_property
    def _torques(self) -> tuple[Kernel, np.ndarray, np.ndarray]:
        # Found once: for a single state, finding them would be a tenth of the call.
        name = sharing_kernel(self.robot, "inverse_dynamics", self.sharing or LEAST_NORM)
        return self.kernel(name), self._load, self.parameters

    @cached_property
    def _load(self) -> np.ndarray:
        return self.held.vector()

    @property
    def working_modes(self) -> tuple[WorkingMode, ...]:
        """Every choice of elbows: the named ones first, the others named by their signs."""
        return modes_of(self.robot)

    @property
    def working_mode(self) -> WorkingMode:
        """The model's own working mode."""
        return mode_of(self.robot)

    def _varied(self, varied: Model) -> Model:
        """A model of a robot of the same structure, on the same kernels."""
        vars(varied)["kernels"] = self.kernels.shared_with(varied.robot)
        return varied

    def with_working_mode(self, mode: str) -> Model:
        """The same robot with other elbows, on the same kernels.

        Args:
            mode: a name of `working_modes`, or one `+` or `-` an arm-rod leg.
        """
        return self._varied(dataclasses.replace(self, robot=in_mode(self.robot, mode)))

    def with_parameters(self, changes: Mapping[str, float | str]) -> Model:
        """The same robot with other numbers, or with some that its file leaves out. Its home may be out of reach then.

        Args:
            changes: new value by path: a number (SI) or a text with its unit, such as `{"limb.arm": "300 mm"}`; the
                paths are those of the robot file, and `limb.arm.*` stands for every entry of a list.

        Raises:
            ParameterError: an unknown path, another unit, or a number that no robot can have.
        """
        from parapick.model.checked_changes import with_numbers

        robot = with_numbers(self.robot, changes)
        changed = dataclasses.replace(self, robot=robot, original=self.original or self.robot)
        return self._varied(changed) if structure(changed.robot) == self.kernels.structure else changed

    def with_gravity(self, gravity: float) -> Model:
        """The same robot under another gravity.

        Args:
            gravity: acceleration (m/s2), downward.
        """
        return self.with_parameters({"gravity": gravity})

    def with_payload(self, payload: Load | None) -> Model:
        """The same robot with another payload beyond its gripper, on the same kernels.

        Along a motion it is held where the motion carries something, in the place of that; all along where the motion
        states no such place.

        Args:
            payload: a mass at the tool's point (kg), a mass with its unit such as "500 g", or a `Payload`; None leaves
                it to the motion.
        """
        return self._varied(dataclasses.replace(self, payload=None if payload is None else Payload.of(payload)))

    def with_sharing(self, rule: str | None) -> Model:
        """The same robot whose motors share by a rule wherever it is asked, on the same kernels.

        Args:
            rule: "least-norm" or "least-peak"; None for what each question takes by itself.

        Raises:
            ParameterError: no such rule.
        """
        if rule is not None:
            check_sharing(rule)
        return self._varied(dataclasses.replace(self, sharing=rule))

    @property
    def judged_sharing(self) -> str | None:
        """The rule by which motors share where limits are judged; None where there is nothing to share."""
        return (self.sharing or JUDGED) if self.robot.redundant else None

    def with_rod_model(self, name: str) -> Model:
        """The same robot with the mass of its rods spread differently: another structure, another kernel.

        Args:
            name: a name of `ROD_MODELS` or `VARIABLE`, such as "halves".
        """
        from parapick.model.checked_changes import with_rods

        return dataclasses.replace(self, robot=with_rods(self.robot, name))
