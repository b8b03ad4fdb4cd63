// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/capi/worker/protocol.h"

namespace tosaic {

void Fields(Visitor& v, CapiGreeting& greeting) {
  v("error", greeting.error);
  v("version", greeting.version);
  v.MayLack("protocol", greeting.protocol);
  v.MayLack("build", greeting.build);
}

void Fields(Visitor& v, CapiJob& job) {
  v("module", job.module);
  v("pipeline", job.pipeline);
  v("fresh_passes", job.fresh_passes);
  v("infers", job.infers);
  v("lowers", job.lowers);
  v("stage", job.stage);
  v("extracts", job.extracts);
  v("takes_graph", job.takes_graph);
  v("takes_text", job.takes_text);
  v("takes_llvm_ir", job.takes_llvm_ir);
  v("symbolizes", job.symbolizes);
  v("counts_stores", job.counts_stores);
  v("compiles", job.compiles);
  v("optimization", job.optimization);
  v("for_host_cpu", job.for_host_cpu);
}

void Fields(Visitor& v, CapiRequest& request) { v("jobs", request.jobs); }

void Fields(Visitor& v, CapiAnswer& answer) {
  v("ended", answer.ended);
  v("observation", answer.observation);
  v("text", answer.text);
  v("entry", answer.entry);
  v("library", answer.library);
}

void Fields(Visitor& v, CapiReply& reply) {
  v("answers", reply.answers);
  v.Optional("death", reply.death);
  v("last_words", reply.last_words);
}

}  // namespace tosaic
