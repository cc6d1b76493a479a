package org.fedometer.experiments.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Limits of this process's control group, of Linux's version 1 and 2: the strictest of the group
 * and its parents. Stateless.
 */
final class ControlGroup {
  private static final String NONE = "max";

  /** Version 1 encodes "no limit" as the largest number of whole pages. */
  private static final long NO_MEMORY_LIMIT = 1L << 60;

  private ControlGroup() {}

  /**
   * Returns {@code cpu.quota}, in microseconds of a number of microseconds, and {@code
   * memory.limit} in bytes, or {@code max}; without unknown ones.
   */
  static Map<String, String> limits() {
    return limits(Path.of("/proc/self/cgroup"), Path.of("/sys/fs/cgroup"));
  }

  /**
   * @param groups the kernel's list of the process's groups
   * @param mount folder of all groups
   */
  static Map<String, String> limits(Path groups, Path mount) {
    List<String> quotas = new ArrayList<>();
    List<String> memory = new ArrayList<>();
    for (String line : lines(groups)) {
      String[] group = line.split(":", 3);
      if (group.length == 3 && group[1].isEmpty()) {
        for (Path root : List.of(mount, mount.resolve("unified"))) {
          addAll(quotas, root, group[2], folder -> line(folder.resolve("cpu.max")));
          addAll(memory, root, group[2], folder -> line(folder.resolve("memory.max")));
        }
      } else if (group.length == 3) {
        for (String controller : group[1].split(",")) {
          if (controller.equals("cpu")) {
            addAll(quotas, mount.resolve("cpu"), group[2], ControlGroup::quotaOfVersion1);
          } else if (controller.equals("memory")) {
            addAll(memory, mount.resolve("memory"), group[2], ControlGroup::memoryOfVersion1);
          }
        }
      }
    }
    Map<String, String> limits = new LinkedHashMap<>();
    strictest(quotas, ControlGroup::processors).ifPresent(quota -> limits.put("cpu.quota", quota));
    strictest(memory, Double::parseDouble).ifPresent(bytes -> limits.put("memory.limit", bytes));
    return limits;
  }

  private static void addAll(
      List<String> values, Path root, String group, Function<Path, Optional<String>> value) {
    // A group outside a container's view has a path with "..".
    String inside = group.contains("..") ? "" : group.replaceFirst("^/+", "");
    Path folder = root.resolve(inside);
    while (folder != null && folder.startsWith(root)) {
      value.apply(folder).ifPresent(values::add);
      folder = folder.getParent();
    }
  }

  private static Optional<String> quotaOfVersion1(Path folder) {
    Optional<String> quota = line(folder.resolve("cpu.cfs_quota_us"));
    Optional<String> period = line(folder.resolve("cpu.cfs_period_us"));
    return quota.isEmpty() || period.isEmpty()
        ? Optional.empty()
        : Optional.of((quota.get().equals("-1") ? NONE : quota.get()) + " " + period.get());
  }

  private static Optional<String> memoryOfVersion1(Path folder) {
    return line(folder.resolve("memory.limit_in_bytes"))
        .map(bytes -> Long.parseLong(bytes) > NO_MEMORY_LIMIT ? NONE : bytes);
  }

  private static double processors(String quota) {
    String[] numbers = quota.split(" ");
    return Double.parseDouble(numbers[0]) / Double.parseDouble(numbers[1]);
  }

  private static Optional<String> strictest(List<String> values, ToDoubleFunction<String> number) {
    Optional<String> limit =
        values.stream()
            .filter(value -> !value.startsWith(NONE))
            .min(
                (one, other) ->
                    Double.compare(number.applyAsDouble(one), number.applyAsDouble(other)));
    return limit.or(() -> values.stream().findFirst());
  }

  private static Optional<String> line(Path file) {
    return lines(file).stream().findFirst().map(String::strip);
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      return List.of();
    }
  }
}
