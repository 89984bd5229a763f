#pragma once

#include <nanobind/nanobind.h>

void bind_unicode(nanobind::module_& m);
