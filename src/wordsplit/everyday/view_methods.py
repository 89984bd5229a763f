"""What `Tokenizer` does for readers, and for chats: thin methods over the files beside this one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, overload

from wordsplit.everyday.text_methods import Special
from wordsplit.text import Text

if TYPE_CHECKING:
    from wordsplit.engine import Engine
    from wordsplit.everyday.chat import Chat
    from wordsplit.everyday.explain import Explanation
    from wordsplit.everyday.show import Shown

__all__ = ["ViewMethods"]


class ViewMethods:
    """The methods of `Tokenizer` that show what it does, and those for chats."""

    if TYPE_CHECKING:  # what Tokenizer has
        _engine: Engine
        encode: Callable[..., list[int]]
        _checked: Callable[[Text, Special], str | bytes]
        _as_text: Callable[[Special], Collection[str]]

    def explain(self, text: Text, special: Special = "parse", *, max_span: int = 256) -> Explanation:
        """How a text comes to its ids, as a textbook works it out: spans, and in each every merge.

        Print it, look at it in a notebook, or take `Explanation.html` or `Explanation.to_dict`. A vocab of mergeable
        ranks is explained by its `Vocab.merges`.

        Args:
            text: As for `encode`.
            special: As for `encode`.
            max_span: How many bytes of a span are worked out; longer ones only have their ids. (The work, and the
                room to show it, grow with its square.)

        Raises:
            OptionsError: ``max_span`` is no number of bytes.

        Example:
            >>> import wordsplit
            >>> print(wordsplit.load_tokenizer("qwen3").explain(" is<|im_end|>"))
            qwen3: 13 bytes, 2 spans, 2 ids
            <BLANKLINE>
            "␣is"
              pass 1   ␣ i s   ␣+i 344   i+s 29 <-
              pass 2   ␣ is   ␣+is 118 <-
              ids      ␣is 374
            <BLANKLINE>
            "<|im_end|>"
              an added token, found as a literal before anything else
              ids      <|im_end|> 151645
        """
        from wordsplit.everyday.budgets import size_of  # noqa: PLC0415 - all of these when first used
        from wordsplit.everyday.explain import explain  # noqa: PLC0415

        most = size_of("max_span", max_span)
        return explain(self._engine, self._checked(text, special), self._as_text(special), most)

    def show(self, text: Text, special: Special = "parse") -> Shown:
        """A text coloured by token, with the ids under it: in notebooks by itself, elsewhere as text, HTML or SVG.

        Args:
            text: As for `encode`.
            special: As for `encode`.

        Example:
            >>> import wordsplit
            >>> print(wordsplit.load_tokenizer("qwen3").show("tokenization in 2024"))
            token|ization|␣in|␣  |2 |0 |2 |4
            5839 |2022   |304|220|17|15|17|19
        """
        from wordsplit.everyday.show import Shown  # noqa: PLC0415

        return Shown(self._engine.vocab, self.encode(text, special))

    # Chats.

    @overload
    def apply_chat_template(
        self,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]] | None = None,
        add_generation_prompt: bool = False,
        tokenize: Literal[True] = True,
        template: str | None = None,
        **variables: Any,
    ) -> list[int]: ...

    @overload
    def apply_chat_template(
        self,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]] | None = None,
        add_generation_prompt: bool = False,
        *,
        tokenize: Literal[False],
        template: str | None = None,
        **variables: Any,
    ) -> str: ...

    def apply_chat_template(
        self,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]] | None = None,
        add_generation_prompt: bool = False,
        tokenize: bool = True,
        template: str | None = None,
        **variables: Any,
    ) -> list[int] | str:
        """The ids of a chat, by the model's own template, in Jinja's sandbox.

        Special tokens come from the template alone: a literal such as ``<|im_start|>`` in a message, a tool or a
        variable is text, wherever in it and however pieced together. Added tokens that are not special, as Qwen3's
        ``<think>``, are found everywhere, since templates look for them in messages. For messages without literals
        the ids are those that `transformers` gives.

        Args:
            messages: Dicts with ``role`` and ``content``, and whatever else the template knows.
            tools: JSON schemas of functions.
            add_generation_prompt: Whether to end with the beginning of the model's answer.
            tokenize: Whether to give ids. ``False`` gives the rendered string, in which what a message forged
                can no longer be told from the template's own: to look at, not to encode.
            template: A Jinja template, or the name of one of `Vocab.chat_templates`; ``None`` for the vocab's own.
            **variables: Further variables of the template, as Qwen3's ``enable_thinking``.

        Raises:
            WordsplitError: Jinja is not installed (``pip install 'wordsplit[chat]'``).
            ChatTemplateError: There is no template, or it is wrong, or it refuses the messages.
            InputTypeError: Messages or tools that are no plain data.
            OptionsError: An argument of `transformers` that is not one of this method.

        Example:
            >>> import wordsplit
            >>> tok = wordsplit.load_tokenizer("qwen3")
            >>> chat = [{"role": "user", "content": "Hi<|im_end|>"}]
            >>> ids = tok.apply_chat_template(chat, add_generation_prompt=True)
            >>> ids.count(tok.token_id("<|im_end|>"))
            1
            >>> print(tok.apply_chat_template(chat, add_generation_prompt=True, tokenize=False))
            <|im_start|>user
            Hi<|im_end|><|im_end|>
            <|im_start|>assistant
            <BLANKLINE>
        """
        from wordsplit.everyday.chat import choose_template, with_literals  # noqa: PLC0415

        source = choose_template(self._engine.vocab, template, tools)
        given = {"documents": None} | variables | {"tools": tools, "add_generation_prompt": add_generation_prompt}
        text, marks = self._chat.render(messages, given, source)
        return self._chat.encode(text, marks) if tokenize else with_literals(text, marks)

    @cached_property
    def _chat(self) -> Chat:
        from wordsplit.everyday.chat import Chat  # noqa: PLC0415

        return Chat(self._engine)
