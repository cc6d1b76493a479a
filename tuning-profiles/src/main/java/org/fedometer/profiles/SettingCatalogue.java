package org.fedometer.profiles;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.fedometer.profiles.SettingType.Many;
import org.fedometer.profiles.SettingType.Text;
import org.fedometer.profiles.SettingType.Whole;
import org.fedometer.profiles.SettingType.Word;

/**
 * Every setting that a profile file may name. Keys are the names that Fedora, PostgreSQL and Maven
 * use themselves, so that their own documentation explains them.
 */
final class SettingCatalogue {

  private static final Whole COUNT = new Whole(1, 10_000_000);

  private static final Map<Dimension, SortedMap<String, SettingType>> TYPES =
      Map.of(
          Dimension.TRIPLESTORE,
          sorted(
              Map.ofEntries(
                  Map.entry("connectorClassName", Text.CLASS_NAME),
                  Map.entry("syncUpdates", Word.TRUE_OR_FALSE),
                  Map.entry("autoFlushDormantSeconds", new Whole(1, 86_400)),
                  Map.entry("autoFlushBufferSize", COUNT),
                  Map.entry("bufferSafeCapacity", COUNT),
                  Map.entry("bufferFlushBatchSize", COUNT),
                  Map.entry("poolInitialSize", new Whole(0, 1000)),
                  Map.entry("poolMaxSize", new Whole(1, 1000)),
                  Map.entry("fetchSize", COUNT),
                  Map.entry("ddlGenerator", Text.CLASS_NAME),
                  Map.entry("backslashIsEscape", Word.TRUE_OR_FALSE),
                  Map.entry("literalLimitBytes", COUNT))),
          Dimension.DATABASE,
          sorted(
              Map.ofEntries(
                  Map.entry("binaries", Text.ARTIFACT),
                  Map.entry("max_connections", new Whole(10, 10_000)),
                  Map.entry("shared_buffers", Text.POSTGRESQL_SIZE),
                  Map.entry("fsync", new Word(List.of("on", "off"))),
                  Map.entry(
                      "synchronous_commit",
                      new Word(List.of("on", "off", "local", "remote_write", "remote_apply"))),
                  Map.entry("maxActive", new Whole(1, 10_000)),
                  Map.entry("testOnBorrow", Word.TRUE_OR_FALSE),
                  Map.entry("testOnReturn", Word.TRUE_OR_FALSE))),
          Dimension.JVM,
          sorted(
              Map.of(
                  "minimumVersion", new Whole(8, 99),
                  "libraries", new Many(Text.ARTIFACT),
                  "arguments", new Many(Text.JVM_ARGUMENT))),
          Dimension.GC,
          sorted(Map.of("arguments", new Many(Text.JVM_ARGUMENT))),
          Dimension.HEAP,
          sorted(Map.of("minimum", Text.JVM_SIZE, "maximum", Text.JVM_SIZE)),
          Dimension.FEDORA,
          sorted(
              Map.of(
                  "installer", Text.ARTIFACT,
                  "xacml", Word.TRUE_OR_FALSE,
                  "messaging", Word.TRUE_OR_FALSE)),
          Dimension.LOWLEVEL,
          sorted(Map.of("store", new Word(List.of("akubra-fs")))));

  private SettingCatalogue() {}

  /** The settings of one dimension, by key. */
  static SortedMap<String, SettingType> of(Dimension dimension) {
    return TYPES.get(dimension);
  }

  private static SortedMap<String, SettingType> sorted(Map<String, SettingType> types) {
    return new TreeMap<>(types);
  }
}
