"""The sampled loop: a robot follows a motion under a control law; the record says how well and at what cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import front

if TYPE_CHECKING:
    from parapick.simulation.assembled import (
        Assembled as Assembled,
        assembled as assembled,
        stated_controller as stated_controller,
        wound_up as wound_up,
    )
    from parapick.simulation.control_step import (
        ControlStep as ControlStep,
        control_step as control_step,
    )
    from parapick.simulation.divergence import (
        Outputs as Outputs,
        divergence_of as divergence_of,
        last_good as last_good,
    )
    from parapick.simulation.integration import (
        SAMPLES_MAX as SAMPLES_MAX,
        STEP as STEP,
        STEP_MAX as STEP_MAX,
        substeps_of as substeps_of,
    )
    from parapick.simulation.loop import (
        Loop as Loop,
    )
    from parapick.simulation.loop_answer import (
        error_series as error_series,
        loop_answer as loop_answer,
        loop_data as loop_data,
        loop_notes as loop_notes,
        tracking_table as tracking_table,
    )
    from parapick.simulation.loop_fault import (
        CHATTERING as CHATTERING,
        LOST as LOST,
        fault_of as fault_of,
    )
    from parapick.simulation.loop_parts import (
        encoder_of as encoder_of,
        friction_of as friction_of,
        torque_limits as torque_limits,
    )
    from parapick.simulation.machine import (
        TOLD as TOLD,
        EngineName as EngineName,
        Judge as Judge,
        Machine as Machine,
        Rotors as Rotors,
        engine_for as engine_for,
        machine_of as machine_of,
    )
    from parapick.simulation.native_loop import (
        LOOP_ROOMS as LOOP_ROOMS,
        initial_state as initial_state,
        loop_expressions as loop_expressions,
        loop_symbols as loop_symbols,
        parameters_of as parameters_of,
    )
    from parapick.simulation.plant import (
        STAGES as STAGES,
        plant_stage as plant_stage,
    )
    from parapick.simulation.plant_motion import (
        OVERSPEED as OVERSPEED,
    )
    from parapick.simulation.plant_state import (
        state_rows as state_rows,
    )
    from parapick.simulation.record import (
        Divergence as Divergence,
        Record as Record,
    )
    from parapick.simulation.series import (
        Disturbance as Disturbance,
        LoopSeries as LoopSeries,
    )
    from parapick.simulation.simulate import (
        simulate as simulate,
    )
    from parapick.simulation.stepped_controller import (
        CompiledController as CompiledController,
    )
    from parapick.simulation.summary import (
        by_cycle as by_cycle,
        by_phase as by_phase,
        summary as summary,
        torque_shares as torque_shares,
    )
    from parapick.simulation.tool_loads import (
        with_loads as with_loads,
    )

__getattr__, __dir__, __all__ = front(
    __name__,
    {
        "assembled": "Assembled assembled stated_controller wound_up",
        "control_step": "ControlStep control_step",
        "divergence": "Outputs divergence_of last_good",
        "integration": "SAMPLES_MAX STEP STEP_MAX substeps_of",
        "loop": "Loop",
        "loop_answer": "error_series loop_answer loop_data loop_notes tracking_table",
        "loop_fault": "CHATTERING LOST fault_of",
        "loop_parts": "encoder_of friction_of torque_limits",
        "machine": "TOLD EngineName Judge Machine Rotors engine_for machine_of",
        "native_loop": "LOOP_ROOMS initial_state loop_expressions loop_symbols parameters_of",
        "plant": "STAGES plant_stage",
        "plant_state": "state_rows",
        "plant_motion": "OVERSPEED",
        "record": "Divergence Record",
        "series": "Disturbance LoopSeries",
        "simulate": "simulate",
        "stepped_controller": "CompiledController",
        "summary": "by_cycle by_phase summary torque_shares",
        "tool_loads": "with_loads",
    },
)
