package org.fedometer.cli.load;

import org.fedometer.driver.mix.Mix;
import org.fedometer.experiments.load.FlushChoice;
import org.fedometer.experiments.load.MixChoice;
import org.fedometer.experiments.load.OperationsChoice;
import picocli.CommandLine.Option;

/** Options of a load with operations other than ingests. */
final class OperationOptions {
  @Option(
      names = "--mix",
      paramLabel = "OPERATION=WEIGHT,...",
      description =
          "Weighted mix of operations instead of ingests: ingest, get-object,"
              + " get-datastream, get-dc, modify-datastream, add-datastream, purge, find-objects,"
              + " find-newest, risearch, oai-identify, oai-list-metadata-formats, oai-list-sets,"
              + " oai-list-identifiers, oai-list-records, oai-get-record. --objects counts"
              + " operations.")
  private String mix;

  @Option(
      names = "--mix-seed",
      paramLabel = "SEED",
      description = "Seed for the order of operations and their objects (default: 1).")
  private Long seed;

  @Option(
      names = "--preload",
      paramLabel = "N",
      description =
          "Objects to ingest before the mix (default: as many as the mix needs, at least"
              + " 100; none if it needs none).")
  private Long preload;

  @Option(
      names = "--flush-every",
      paramLabel = "N",
      description =
          "Flush the triplestore after every N writes; the worker waits (default: when"
              + " Fedora does).")
  private Long flushEvery;

  /** Returns null for ingests without flushes. */
  OperationsChoice choice() {
    if (mix == null && (seed != null || preload != null)) {
      throw new IllegalArgumentException(
          (seed != null ? "--mix-seed" : "--preload") + " needs --mix");
    }
    if (flushEvery != null && flushEvery < 1) {
      throw new IllegalArgumentException("--flush-every " + flushEvery + ": give 1 or more writes");
    }
    if (mix == null) {
      return flushEvery == null ? null : new FlushChoice(flushEvery);
    }
    return new MixChoice(
        parseMix(), seed == null ? 1 : seed, preload, flushEvery == null ? 0 : flushEvery);
  }

  private Mix parseMix() {
    try {
      return Mix.parse(mix);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--mix: " + e.getMessage(), e);
    }
  }
}
