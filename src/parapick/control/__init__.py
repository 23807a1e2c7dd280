"""Control laws: from encoder angles and references to torques, each law one frozen description; and controllers.

The floats of a law are its gains, and gains are inputs of the compiled loop: another gain needs no new compilation. A
`Controller` is a law with its sampling, encoders and drives and the plant that it meets; it is what a file holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import front

if TYPE_CHECKING:
    from parapick.control.adaptive import (
        AdaptiveID as AdaptiveID,
    )
    from parapick.control.cascade import (
        CascadePPI as CascadePPI,
    )
    from parapick.control.changes import (
        ModelChanges as ModelChanges,
        PlantChanges as PlantChanges,
    )
    from parapick.control.choosing import (
        ControllerChoice as ControllerChoice,
        condition_notes as condition_notes,
        controller_of as controller_of,
        controllers_by_name as controllers_by_name,
        controllers_of as controllers_of,
        machine_controller as machine_controller,
        with_sharing_rule as with_sharing_rule,
    )
    from parapick.control.computed_torque import (
        ComputedTorque as ComputedTorque,
    )
    from parapick.control.controller import (
        COUNTS_MIN as COUNTS_MIN,
        DELAY_MAX as DELAY_MAX,
        CallableLaw as CallableLaw,
        Controller as Controller,
        law_name as law_name,
    )
    from parapick.control.departures import (
        departures as departures,
        with_true_sources as with_true_sources,
    )
    from parapick.control.devices import (
        Encoder as Encoder,
        JointFriction as JointFriction,
    )
    from parapick.control.disturbance_observer import (
        DisturbanceObserver as DisturbanceObserver,
    )
    from parapick.control.drive_gains import (
        DriveGains as DriveGains,
        drive_gains as drive_gains,
        gains_tables as gains_tables,
    )
    from parapick.control.errors import (
        ControllerFileError as ControllerFileError,
        LawError as LawError,
        UnknownControlLawError as UnknownControlLawError,
        UnknownControllerError as UnknownControllerError,
    )
    from parapick.control.feedforward import (
        FrictionFeedforward as FrictionFeedforward,
        SineTerm as SineTerm,
        column as column,
    )
    from parapick.control.fields import (
        Numbers as Numbers,
        per_joint as per_joint,
        prepared as prepared,
    )
    from parapick.control.files import (
        CONTROLLERS as CONTROLLERS,
        ControllerEntry as ControllerEntry,
        list_controllers as list_controllers,
        load_controller as load_controller,
    )
    from parapick.control.imperfections import (
        DriveTrain as DriveTrain,
        Eccentricity as Eccentricity,
        FrictionRipple as FrictionRipple,
        LoosePayload as LoosePayload,
        NoiseTorque as NoiseTorque,
    )
    from parapick.control.laws import (
        LAWS as LAWS,
        acts_on_accelerations as acts_on_accelerations,
        by_poles as by_poles,
        ready as ready,
    )
    from parapick.control.learning import (
        IterativeLearning as IterativeLearning,
    )
    from parapick.control.nonlinear_pd import (
        NonlinearPD as NonlinearPD,
    )
    from parapick.control.other_law import (
        with_law as with_law,
    )
    from parapick.control.pd import (
        PD as PD,
    )
    from parapick.control.pid import (
        PID as PID,
    )
    from parapick.control.poles import (
        Poles as Poles,
        inertia_at_joints as inertia_at_joints,
        second_order as second_order,
    )
    from parapick.control.precomputed import (
        PrecomputedTorque as PrecomputedTorque,
    )
    from parapick.control.saving import (
        controller_text as controller_text,
        save_controller as save_controller,
    )
    from parapick.control.sensing import (
        Differenced as Differenced,
        FromJoints as FromJoints,
        SensedPose as SensedPose,
        SensedRates as SensedRates,
    )
    from parapick.control.sliding_mode import (
        SlidingMode as SlidingMode,
    )
    from parapick.control.stage import (
        ControlLaw as ControlLaw,
        ControlStage as ControlStage,
        Measured as Measured,
        Memory as Memory,
        Reference as Reference,
        Sample as Sample,
        sample_of as sample_of,
    )
    from parapick.control.super_twisting import (
        SuperTwisting as SuperTwisting,
    )
    from parapick.control.tsid import (
        TaskSpaceID as TaskSpaceID,
    )
    from parapick.control.tsiid import (
        TaskSpaceIID as TaskSpaceIID,
    )
    from parapick.control.tuned import (
        inertia_along as inertia_along,
        tuned as tuned,
        with_gains as with_gains,
    )

__getattr__, __dir__, __all__ = front(
    __name__,
    {
        "adaptive": "AdaptiveID",
        "cascade": "CascadePPI",
        "changes": "ModelChanges PlantChanges",
        "choosing": (
            "ControllerChoice condition_notes controller_of controllers_by_name controllers_of machine_controller "
            "with_sharing_rule"
        ),
        "computed_torque": "ComputedTorque",
        "controller": "COUNTS_MIN CallableLaw Controller DELAY_MAX law_name",
        "departures": "departures with_true_sources",
        "devices": "Encoder JointFriction",
        "disturbance_observer": "DisturbanceObserver",
        "drive_gains": "DriveGains drive_gains gains_tables",
        "errors": "ControllerFileError LawError UnknownControlLawError UnknownControllerError",
        "feedforward": "FrictionFeedforward SineTerm column",
        "fields": "Numbers per_joint prepared",
        "files": "CONTROLLERS ControllerEntry list_controllers load_controller",
        "imperfections": "DriveTrain Eccentricity FrictionRipple LoosePayload NoiseTorque",
        "laws": "LAWS acts_on_accelerations by_poles ready",
        "learning": "IterativeLearning",
        "nonlinear_pd": "NonlinearPD",
        "other_law": "with_law",
        "pd": "PD",
        "pid": "PID",
        "poles": "Poles inertia_at_joints second_order",
        "precomputed": "PrecomputedTorque",
        "saving": "controller_text save_controller",
        "sensing": "Differenced FromJoints SensedPose SensedRates",
        "sliding_mode": "SlidingMode",
        "stage": "ControlLaw ControlStage Measured Memory Reference Sample sample_of",
        "super_twisting": "SuperTwisting",
        "tsid": "TaskSpaceID",
        "tsiid": "TaskSpaceIID",
        "tuned": "inertia_along tuned with_gains",
    },
)
