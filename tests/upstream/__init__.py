"""A scripted model provider for tests, end-to-end runs and benchmarks.

It speaks ``/v1/chat/completions`` (streamed and not), ``/v1/embeddings`` and ``/v1/models``; it
records every request and notes when the client's socket closed. Run it in a thread with
``tests.upstream.fixture.running_upstream`` or as a process: ``python -m tests.upstream --port 0``
prints its port.

The name of the model chooses the behaviour; names that say nothing echo the last user message.

===========================  ===================================================================
``echo``                     the last user message, word by word
``tokens-<n>-<ms>``          ``n`` tokens ``t0 t1 ...``, one every ``ms`` milliseconds
``slow-<ms>ms``              echo, every chunk ``ms`` milliseconds after the one before
``late-<ms>``                echo, the first chunk after ``ms`` milliseconds
``stall``                    headers, then silence; ``stall-after-<n>`` after ``n`` chunks
``hang``                     silence before the headers
``reset``                    connection reset; ``reset-after-<n>`` after ``n`` chunks
``truncated``                a clean end in the middle of the reply, no finish reason
``no-done``                  complete, without ``[DONE]``; ``open-end``: without an end either
``no-finish``                ``[DONE]`` without a finish reason
``half-utf8``                Chinese text, three bytes per write
``garbage``                  chunks between lines that are none; ``only-garbage``: nothing else
``empty``                    a reply without text; ``silent``: a body without bytes
``plain-json``               a whole JSON answer to a stream request
``html``                     a page with status 200
``error-<status>``           an OpenAI error; ``-retry-after-<s>`` adds the header
``error-<word>``             ``context``, ``quota``, ``filter``, ``model``, ``balance``, ``key``
                             (echoes the key), ``html`` (502 page), ``stream`` (inside a 200
                             stream), ``later`` (inside the stream, after text)
``no-stream-options``        400 while ``stream_options`` is sent, else echo
``flaky-<n>``                status 500 for the first ``n`` requests of that model name, then echo
``think-tags``               reasoning between tags in the text
``reasoning``                ``reasoning_content``; ``reasoning-field``, ``reasoning-details``
``tool-call``                calls the first tool; answers once a tool message is last. Variants:
                             ``tool-call-split``, ``-no-index``, ``-object``, ``-repeated``,
                             ``-no-id``, ``-parallel``, ``-same-index``, ``-stop``, ``-legacy``
``tool-loop``                calls the first tool for as long as any is offered, each time with
                             another city; ``-same``: always with the same, ``-deaf``: even when
                             it must not (``tool_choice`` none)
``cites``                    an answer with the marks ``[1]`` and ``[99]``, in odd pieces
``recalls``                  calls ``recallKnowledge`` with the question, then cites; ``-twice``:
                             two calls at once
``prompted``                 the same through the prompt: marks ``0:`` and ``1:``, refuses tools;
                             ``-deaf``: never stops calling
``planned``                  follows a plan in its instructions, see ``tests.upstream.planned``;
                             ``-in-words``: the same through the prompt, refuses tools
``no-usage``                 never reports usage; ``usage-every-chunk``, ``usage-in-choice``
``odd``                      null deltas, empty choices, numbers as ids, content as blocks
===========================  ===================================================================

Embedding models: ``embed-<n>`` gives ``n`` dimensions; ``embed-shuffled``, ``embed-base64``,
``embed-zero``, ``embed-nan``, ``embed-short``, ``embed-max-<n>`` (400 above ``n`` inputs),
``embed-chars-<n>`` (400 if a text is longer), ``embed-flaky-<n>`` (429 first). Any model ranks
documents at ``/v1/rerank``, by the words that they share with the query; not ``error-<status>``.

The same server speaks vendors' own wires: Anthropic's at ``/v1/messages``, Gemini's at
``/v1beta/models/{model}:streamGenerateContent``, Ollama's at ``/api/chat``; for the names of their
models see ``tests.upstream.native``.

Control: ``GET /_control/requests``, ``POST /_control/scripts`` with ``{"model": ..., "steps":
[...], "status": 200, "headers": {...}}``, ``DELETE /_control`` to forget. A step is ``{"send":
text}``, ``{"send_base64": text}``, ``{"wait_ms": n}``, ``{"event": object}`` (one SSE chunk),
``{"reset": true}``, ``{"stall": true}`` or ``{"end": true}`` (end the body cleanly, the default).
"""
