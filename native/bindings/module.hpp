#pragma once

#include <nanobind/nanobind.h>

void bind_unicode(nanobind::module_& m);
void bind_encoders(nanobind::module_& m);
void bind_scanners(nanobind::module_& m);
void bind_vocab_tables(nanobind::module_& m);
void bind_compiled(nanobind::module_& m);
void bind_arrow(nanobind::module_& m);
void bind_documents(nanobind::module_& m);
void bind_engine(nanobind::module_& m);
void bind_step_decoder(nanobind::module_& m);
void bind_text_steps(nanobind::module_& m);
void bind_training(nanobind::module_& m);
void bind_list_format(nanobind::module_& m);
void bind_json_text(nanobind::module_& m);
void bind_json_outline(nanobind::module_& m);
void bind_spellings(nanobind::module_& m);
void bind_numbers(nanobind::module_& m);
void bind_pieces(nanobind::module_& m);
