package org.fedometer.agent.core;

import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.fedometer.agent.core.ship.TelemetrySink;
import org.fedometer.agent.core.weave.WeavingReport;

/** Telemetry of the agent: its memory, and how much of its plan is woven. Telemetry thread only. */
final class AgentReadings implements LongConsumer {

  private static final String BYTES = "By";
  private static final String STAGES = "{stage}";

  private final TelemetrySink sink;
  private final LongSupplier memoryBytes;
  private final long memoryLimitBytes;
  private final Supplier<WeavingReport> weaving;

  /**
   * @param weaving returns {@code null} while nothing is woven
   */
  AgentReadings(
      TelemetrySink sink,
      LongSupplier memoryBytes,
      long memoryLimitBytes,
      Supplier<WeavingReport> weaving) {
    this.sink = sink;
    this.memoryBytes = memoryBytes;
    this.memoryLimitBytes = memoryLimitBytes;
    this.weaving = weaving;
  }

  @Override
  public void accept(long atNanos) {
    sink.value(atNanos, "fedometer.agent.memory.usage", BYTES, memoryBytes.getAsLong());
    sink.value(atNanos, "fedometer.agent.memory.limit", BYTES, memoryLimitBytes);
    WeavingReport report = weaving.get();
    if (report != null) {
      sink.value(atNanos, "fedometer.agent.stages.woven", STAGES, report.wovenCount());
      sink.value(atNanos, "fedometer.agent.stages", STAGES, report.plannedCount());
    }
  }
}
