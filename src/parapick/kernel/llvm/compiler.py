"""From LLVM text to native code in memory, and how long it lives."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import Final, final

import llvmlite.binding as llvm

from parapick.errors import KernelError
from parapick.kernel.llvm.target import LIBMVEC, Target, vector_symbol
from parapick.kernel.operations import OPERATIONS

_SPEED_LEVEL = 2
"""Level of LLVM's passes; 3 takes longer and gains nothing on straight-line code."""

_CODE_LEVEL = 1
"""Level of what makes machine code of it; 2 takes a tenth longer, and its code is as fast to a hundredth."""

_SUPPORT = ("fetestexcept", "feclearexcept", "floor", "ceil", "memcpy", "memset")
"""C functions that code may call beside those of the operation table."""


@final
@dataclass(frozen=True, eq=False)
class Code:
    """Functions in memory. They exist as long as this object: whoever keeps an address keeps this.

    Attributes:
        engine: LLVM's engine, which owns the memory.
        tracker: LLVM's handle of the loaded object; the object is unloaded with it.
        addresses: where the functions begin, by name.
    """

    engine: llvm.LLJIT
    tracker: llvm.ResourceTracker
    addresses: dict[str, int]

    @property
    def address(self) -> int:
        """Where the first function begins, which is the only one of a kernel or scan."""
        return next(iter(self.addresses.values()))


def compile_text(text: str, target: Target, *, whole: bool = False) -> bytes:
    """Compile LLVM text to an object file.

    Args:
        text: a module without its data layout.
        target: what code is made for.
        whole: whether all of LLVM's passes run, which take half the time of a compilation. A kernel is straight-line
            code and does without; the loops of a scan gain 5 % from them.
    """
    machine, module = _passed(text, target, whole=whole)
    return machine.emit_object(module)


def assembly_text(text: str, target: Target) -> str:
    """The assembly of what `compile_text` makes, to be counted.

    Args:
        text: a module without its data layout.
        target: what code is made for.
    """
    machine, module = _passed(text, target, whole=False)
    return machine.emit_assembly(module)


def _passed(text: str, target: Target, *, whole: bool) -> tuple[llvm.TargetMachine, llvm.ModuleRef]:
    """A module after LLVM's passes, and what makes machine code of it."""
    machine = _machine(target)
    text = f'target datalayout = "{machine.target_data}"\n{text}'
    # A context of its own, because the global one never forgets a constant.
    module = llvm.parse_assembly(text, llvm.create_context())
    options = llvm.create_pipeline_tuning_options(speed_level=_SPEED_LEVEL)
    options.loop_vectorization = False
    options.slp_vectorization = False
    options.loop_unrolling = False
    builder = llvm.create_pass_builder(machine, options)
    (builder.getModulePassManager() if whole else _few_passes()).run(module, builder)
    return machine, module


def _few_passes() -> llvm.ModulePassManager:
    """Inlining, simplification, common work once, and strides that are always the same taken out of arguments."""
    passes = llvm.create_new_module_pass_manager()
    passes.add_always_inliner_pass()
    passes.add_sroa_pass()
    passes.add_simplify_cfg_pass()
    # Sine and cosine of one angle have most of their work in common.
    passes.add_new_gvn_pass()
    passes.add_instruction_combine_pass()
    passes.add_dead_arg_elimination_pass()
    passes.add_simplify_cfg_pass()
    passes.add_global_dead_code_eliminate_pass()
    return passes


TURNS: Final = "parapick.turns"
LOOK_UP: Final = "parapick.look_up"
SHARED: Final = (TURNS, LOOK_UP)
"""Functions that all kernels of a target share (`shared_loop`); the dot keeps them apart from names of kernels."""


def symbol(name: str) -> str:
    """Name of the exported loop of a computation; the prefix keeps it apart from the C library's names."""
    return f"parapick_{name}"


def load_object(payload: bytes, exported: Sequence[str], target: Target, calls: Mapping[str, int]) -> Code:
    """Load an object file.

    Args:
        payload: its content.
        exported: names of the functions that are wanted.
        target: what it was made for.
        calls: addresses of functions that it may call beside those of the C library, by name.

    Raises:
        KernelError: the object needs a function this machine does not have.
    """
    engine = _engine(target)
    library = llvm.JITLibraryBuilder().add_object_img(payload).add_current_process()
    for name in exported:
        library.export_symbol(name)
    for name, address in {**_functions(target.isa), **calls}.items():
        library.import_symbol(name, address)
    try:
        # Each object has a library of its own, so that two may have one name.
        tracker = library.link(engine, f"{exported[0]}.{next(_objects)}")
    except RuntimeError as error:
        raise KernelError(exported[0], f"cannot be loaded: {error}") from error
    return Code(engine, tracker, {name: tracker[name] for name in exported})


@cache
def _engine(target: Target) -> llvm.LLJIT:
    """LLVM's engine for all objects of a target; making one takes longer than loading an object."""
    # JITLink puts code and constants side by side, as the small code model needs, and reports what is missing.
    return llvm.create_lljit_compiler(_machine(target), use_jit_link=True, suppress_errors=True)


_objects = count()


def _machine(target: Target) -> llvm.TargetMachine:
    _initialize_native()
    if target.triple != llvm.get_process_triple():
        _initialize_all()
    return llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.cpu, features=target.features, opt=_CODE_LEVEL, reloc="pic", codemodel="small", jit=True
    )


@cache
def _initialize_native() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


@cache
def _initialize_all() -> None:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()


@cache
def _functions(isa: str) -> dict[str, int]:
    """Addresses of the C functions that code may call; those a machine lacks are left out."""
    operations = [operation for operation in OPERATIONS.values() if operation.function]
    plain = _libm()
    wanted = [(plain, name) for name in (*_SUPPORT, *(operation.function for operation in operations))]
    if isa:
        vectors = ctypes.CDLL(LIBMVEC)
        wanted += [(vectors, vector_symbol(isa, operation.function, operation.arity)) for operation in operations]
    present = [(library, name) for library, name in wanted if hasattr(library, name)]
    return {name: ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0 for library, name in present}


def _libm() -> ctypes.CDLL:
    """The C mathematics library."""
    try:
        return ctypes.CDLL({"linux": "libm.so.6", "win32": "ucrtbase"}.get(sys.platform))
    except OSError:
        return ctypes.CDLL(None)
