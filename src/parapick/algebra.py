"""Small dense linear algebra as expressions: solving, least squares, singular values by Jacobi rotations.

All are fixed sequences of operations without pivoting or tests, so they can live inside any kernel.
"""

from __future__ import annotations

from functools import reduce
from typing import Any, Final

import casadi as ca

__all__ = [
    "SWEEPS",
    "determinant",
    "gram",
    "largest",
    "least_squares",
    "orthogonalised",
    "singular_values",
    "smallest",
    "smallest_solution",
    "solve",
]

SWEEPS: Final = 5
"""Jacobi sweeps: convergence is quadratic, and five give 1e-15 for up to six columns, also at a singularity."""

_TINY: Final = 1e-300
"""Keeps 0/0 out of a rotation between two columns that are already orthogonal and equally long."""


def orthogonalised(matrix: Any) -> tuple[list[Any], list[list[Any]], list[Any]]:
    """`matrix = V U` by modified Gram-Schmidt: columns of V orthogonal, U upper triangular with ones on its diagonal.

    Args:
        matrix: m x n expression, m >= n.

    Returns:
        The columns of V, the entries of U row after row, the squared lengths of the columns of V. Their product is the
        determinant of `matrix' matrix`.
    """
    n = matrix.shape[1]
    columns = [matrix[:, j] for j in range(n)]
    upper = [[ca.SX(int(j == k)) for k in range(n)] for j in range(n)]
    squares = []
    for j in range(n):
        squares.append(ca.dot(columns[j], columns[j]))
        for k in range(j + 1, n):
            upper[j][k] = ca.dot(columns[j], columns[k]) / squares[j]
            columns[k] = columns[k] - upper[j][k] * columns[j]
    return columns, upper, squares


def least_squares(matrix: Any, right: Any) -> Any:
    """Solution of `matrix y = right` in the least-squares sense, by modified Gram-Schmidt.

    The right-hand side is carried along as one more column, which keeps the method as accurate as Householder's.
    A singular matrix gives infinities or NaN.

    Args:
        matrix: m x n expression, m >= n.
        right: m x 1 expression.
    """
    n = matrix.shape[1]
    _, upper, _ = orthogonalised(ca.horzcat(matrix, right))
    solution: list[Any] = [ca.SX(0)] * n
    for j in reversed(range(n)):
        solution[j] = upper[j][n] - sum((upper[j][k] * solution[k] for k in range(j + 1, n)), ca.SX(0))
    return ca.vertcat(*solution)


def smallest_solution(matrix: Any, right: Any, start: Any = None) -> tuple[Any, Any]:
    """The y of least norm with `matrix' (y - start) = right`, and the determinant of `matrix' matrix`.

    By modified Gram-Schmidt: its error grows with the condition of the matrix, and not with that of `matrix' matrix`.

    Args:
        matrix: m x n expression, m >= n.
        right: n x 1 expression.
        start: m x 1 expression; zero if not given.
    """
    columns, upper, squares = orthogonalised(matrix)
    solution, value, reduced = ca.SX.zeros(matrix.shape[0]), ca.SX(1), []
    for j, (column, square) in enumerate(zip(columns, squares, strict=True)):
        reduced.append(right[j] - sum((upper[i][j] * reduced[i] for i in range(j)), ca.SX(0)))
        along = reduced[j] if start is None else reduced[j] + ca.dot(column, start)
        solution = solution + column * (along / square)
        value = value * square
    return solution, value


def _cofactors(matrix: Any) -> Any:
    """Matrix of cofactors; structural zeros of the matrix make it cheaper."""
    n = matrix.shape[0]
    rows = []
    for i in range(n):
        keep = [k for k in range(n) if k != i]
        row = []
        for j in range(n):
            others = [k for k in range(n) if k != j]
            row.append((-1) ** (i + j) * _expanded(matrix[keep, others]))
        rows.append(ca.horzcat(*row))
    return ca.vertcat(*rows)


def _expanded(matrix: Any) -> Any:
    n = matrix.shape[0]
    if n == 1:
        return matrix[0, 0]
    total = ca.SX(0)
    for j in range(n):
        others = [k for k in range(n) if k != j]
        total = total + (-1) ** j * matrix[0, j] * _expanded(matrix[1:, others])
    return total


def solve(matrix: Any, right: Any) -> tuple[Any, Any]:
    """Solution of a small square system by cofactors, and the determinant of the matrix.

    For three or four unknowns this is the cheapest sequence without tests, and one division; its relative error is
    that of the determinant, so callers bound the determinant from below.

    Args:
        matrix: n x n expression, n <= 4.
        right: n x m expression.
    """
    if matrix.shape[0] == 4 and right.shape[1] == 1:
        return _solve_four(matrix, right)
    cofactors = _cofactors(matrix)
    value = ca.dot(matrix[0, :].T, cofactors[0, :].T)
    return ca.mtimes(cofactors.T, right) / value, value


def _solve_four(matrix: Any, right: Any) -> tuple[Any, Any]:
    """Cramer's rule for four unknowns, columns in pairs: every determinant comes from 2 x 2 minors of two columns."""
    a, b, c, d = (matrix[:, k] for k in range(4))
    first, second = _minors(a, b), _minors(c, d)
    value = sum((sign * first[i, j] * second[k, m] for sign, i, j, k, m in _LAPLACE), ca.SX(0))
    beside, before = _covector(right, second), _covector(right, first)
    unknowns = (-ca.dot(beside, b), ca.dot(beside, a), -ca.dot(before, d), ca.dot(before, c))
    return ca.vertcat(*unknowns) / value, value


_LAPLACE: Final = (
    (1, 0, 1, 2, 3),
    (-1, 0, 2, 1, 3),
    (1, 0, 3, 1, 2),
    (1, 1, 2, 0, 3),
    (-1, 1, 3, 0, 2),
    (1, 2, 3, 0, 1),
)
"""Laplace's expansion of a 4 x 4 determinant by two columns: sign, rows of one minor, rows of the other."""


def _minors(p: Any, q: Any) -> dict[tuple[int, int], Any]:
    """All 2 x 2 minors of two columns of four, by their rows."""
    return {(i, j): p[i] * q[j] - p[j] * q[i] for i in range(4) for j in range(i + 1, 4)}


def _covector(r: Any, c: dict[tuple[int, int], Any]) -> Any:
    """The column w with `w . v = det[v, r, two columns]` for every v, from the minors of the two columns."""
    return ca.vertcat(
        r[1] * c[2, 3] - r[2] * c[1, 3] + r[3] * c[1, 2],
        -(r[0] * c[2, 3] - r[2] * c[0, 3] + r[3] * c[0, 2]),
        r[0] * c[1, 3] - r[1] * c[0, 3] + r[3] * c[0, 1],
        -(r[0] * c[1, 2] - r[1] * c[0, 2] + r[2] * c[0, 1]),
    )


def gram(matrix: Any) -> Any:
    """`matrix' matrix`, each entry formed once, so that what is built on it sees that it is symmetric.

    Args:
        matrix: m x n expression.
    """
    n = matrix.shape[1]
    entries = {(i, j): ca.dot(matrix[:, i], matrix[:, j]) for i in range(n) for j in range(i, n)}
    return ca.vertcat(*(ca.horzcat(*(entries[min(i, j), max(i, j)] for j in range(n))) for i in range(n)))


def determinant(matrix: Any) -> Any:
    """Determinant of a small square matrix.

    Args:
        matrix: n x n, n at most 4.
    """
    return ca.dot(matrix[0, :].T, _cofactors(matrix)[0, :].T)


def singular_values(matrix: Any) -> Any:
    """Singular values, not sorted, by one-sided Jacobi rotations of the columns (a column of n expressions).

    Never by eigenvalues of J'J, which lose half the digits where they matter, at a singularity.

    Args:
        matrix: m x n expression, m >= n.
    """
    n = matrix.shape[1]
    columns = [matrix[:, j] for j in range(n)]
    for _ in range(SWEEPS):
        for i in range(n):
            for j in range(i + 1, n):
                columns[i], columns[j] = _rotated(columns[i], columns[j])
    return ca.vertcat(*(ca.sqrt(ca.dot(column, column)) for column in columns))


def _rotated(a: Any, b: Any) -> tuple[Any, Any]:
    overlap, difference = 2 * ca.dot(a, b), ca.dot(b, b) - ca.dot(a, a)
    reach = ca.fabs(difference) + ca.sqrt(difference * difference + overlap * overlap) + _TINY
    tangent = overlap * ca.copysign(1.0, difference) / reach
    cosine = 1 / ca.sqrt(1 + tangent * tangent)
    sine = cosine * tangent
    return cosine * a - sine * b, sine * a + cosine * b


def smallest(column: Any) -> Any:
    """Smallest entry.

    Args:
        column: n x 1.
    """
    return reduce(ca.fmin, ca.vertsplit(column))


def largest(column: Any) -> Any:
    """Largest entry.

    Args:
        column: n x 1.
    """
    return reduce(ca.fmax, ca.vertsplit(column))
