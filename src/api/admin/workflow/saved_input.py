"""Inputs of test runs that people keep under a name, on the admin surface."""

from typing import Any

import msgspec
from litestar import Controller, delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from api.admin.workflow.shape import Person
from api.admin.workflow.workflow import path_id
from api.shape import Shape
from api.wire import required_id
from application.shared.page import Listed
from application.workflow.definition.saved_inputs import (
    SavedInputService,
    SavedInputView,
    SaveInput,
)
from domain.shared.access import Principal


class SaveInputBody(msgspec.Struct, frozen=True, kw_only=True):
    """Inputs under a name, with ``mocks``: outputs of nodes that are not to run, by their ids."""

    name: str
    is_shared: bool = False
    inputs: dict[str, Any] = {}
    mocks: dict[str, dict[str, Any]] = {}


class AdminTestInput(Shape, of=SavedInputView):
    """Inputs that somebody keeps; ``is_own`` tells whether it is who asks."""

    creator: Person


class AdminTestInputList(Listed[AdminTestInput]):
    """One's own and those that are shared, by name."""


class AdminTestInputController(Controller):
    """What a workflow is tried with again and again."""

    path = "/admin/v1/workflows/{workflow_id:str}/test-inputs"

    @get(operation_id="admin.workflows.list_test_inputs")
    async def list(
        self,
        *,
        principal: NamedDependency[Principal],
        saved_inputs: NamedDependency[SavedInputService],
        workflow_id: FromPath[str],
    ) -> AdminTestInputList:
        """List saved inputs of test runs: one's own, and those that are shared."""
        found = await saved_inputs.list(principal, path_id(workflow_id))
        items = [AdminTestInput.of(each) for each in found]
        return AdminTestInputList(items=items, total=len(items))

    @post(operation_id="admin.workflows.save_test_input")
    async def save(
        self,
        *,
        data: JSONBody[SaveInputBody],
        principal: NamedDependency[Principal],
        saved_inputs: NamedDependency[SavedInputService],
        workflow_id: FromPath[str],
    ) -> AdminTestInput:
        """Keep inputs of test runs under a name; one's own of the same name are replaced."""
        command = SaveInput(
            workflow_id=path_id(workflow_id),
            name=data.name,
            is_shared=data.is_shared,
            inputs=data.inputs,
            mocks=data.mocks,
        )
        return AdminTestInput.of(await saved_inputs.save(principal, command))

    @delete("/{test_input_id:str}", operation_id="admin.workflows.delete_test_input")
    async def remove(
        self,
        *,
        principal: NamedDependency[Principal],
        saved_inputs: NamedDependency[SavedInputService],
        workflow_id: FromPath[str],
        test_input_id: FromPath[str],
    ) -> None:
        """Delete saved inputs, one's own or shared."""
        wanted = required_id(test_input_id, field="test_input_id")
        await saved_inputs.delete(principal, path_id(workflow_id), wanted)
