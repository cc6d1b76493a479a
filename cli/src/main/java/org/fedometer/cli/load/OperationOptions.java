package org.fedometer.cli.load;

import org.fedometer.driver.mix.Mix;
import org.fedometer.experiments.load.MixChoice;
import picocli.CommandLine.Option;

/** Options of a load with operations other than ingests. */
final class OperationOptions {
  @Option(
      names = "--mix",
      paramLabel = "OPERATION=WEIGHT,...",
      description =
          "A mix of operations in the place of ingests alone: ingest, get-object, get-datastream,"
              + " get-dc, modify-datastream, add-datastream, purge, find-objects, find-newest,"
              + " risearch, oai-identify, oai-list-metadata-formats, oai-list-sets,"
              + " oai-list-identifiers, oai-list-records, oai-get-record. --objects is then the"
              + " number of steps, of which each does one of them.")
  private String mix;

  @Option(
      names = "--mix-seed",
      paramLabel = "SEED",
      description = "Decides the order of the steps and which objects they are about (default: 1).")
  private Long seed;

  @Option(
      names = "--preload",
      paramLabel = "N",
      description =
          "Ingest N objects before the first step of the mix (default: 100, or more where the mix"
              + " needs more; none if no step needs any).")
  private Long preload;

  @Option(
      names = "--flush-every",
      paramLabel = "N",
      description =
          "After every K writes Fedora is made to write its triples, and the worker waits for it"
              + " (default: when Fedora does so by itself).")
  private Long flushEvery;

  /** Returns null for ingests only. */
  MixChoice choice() {
    if (mix == null && flushEvery == null) {
      if (seed != null || preload != null) {
        throw new IllegalArgumentException(
            (seed != null ? "--mix-seed" : "--preload") + ": only a --mix has one");
      }
      return null;
    }
    if (flushEvery != null && flushEvery < 1) {
      throw new IllegalArgumentException("--flush-every " + flushEvery + ": give 1 or more writes");
    }
    return new MixChoice(
        parseMix(), seed == null ? 1 : seed, preload, flushEvery == null ? 0 : flushEvery);
  }

  private Mix parseMix() {
    if (mix == null) {
      return Mix.ingestOnly();
    }
    try {
      return Mix.parse(mix);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--mix: " + e.getMessage(), e);
    }
  }
}
