package org.fedometer.driver.mix;

import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.fedometer.driver.fedora.Operation;

/**
 * The operations of a load and their weights in a block of steps. Mixes of the same weights are
 * equal, whatever their order.
 *
 * @param weights steps of a block by operation, each at least 1; at most {@value #MAX_BLOCK_LENGTH}
 *     together
 */
public record Mix(Map<Operation, Integer> weights) {

  /** Steps of the longest block, which determine a worker's memory. */
  public static final int MAX_BLOCK_LENGTH = 10_000;

  /** Effects of other steps, not steps themselves. */
  private static final Set<Operation> NOT_IN_A_MIX =
      EnumSet.of(Operation.UPLOAD, Operation.ADD_RELATIONSHIP, Operation.FLUSH_TRIPLES);

  /** Operations on one object that must be in Fedora. */
  private static final Set<Operation> OF_AN_OBJECT =
      EnumSet.of(
          Operation.ADD_DATASTREAM,
          Operation.MODIFY_DATASTREAM,
          Operation.PURGE,
          Operation.GET_OBJECT,
          Operation.GET_DATASTREAM,
          Operation.GET_DC,
          Operation.FIND_OBJECTS,
          Operation.RISEARCH,
          Operation.OAI_GET_RECORD);

  /**
   * @throws IllegalArgumentException with a message for the user
   */
  public Mix {
    EnumMap<Operation, Integer> ordered = new EnumMap<>(Operation.class);
    ordered.putAll(weights);
    long block = 0;
    for (Map.Entry<Operation, Integer> entry : ordered.entrySet()) {
      if (NOT_IN_A_MIX.contains(entry.getKey())) {
        throw new IllegalArgumentException(
            entry.getKey().wireName() + " cannot be part of a mix; " + allowed());
      }
      if (entry.getValue() < 1) {
        throw new IllegalArgumentException(
            entry.getKey().wireName() + "=" + entry.getValue() + ": a weight is 1 or more");
      }
      block += entry.getValue();
    }
    if (block < 1 || block > MAX_BLOCK_LENGTH) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the weights of a mix must add up to 1 to %,d, not %,d",
              MAX_BLOCK_LENGTH,
              block));
    }
    weights = Collections.unmodifiableMap(ordered);
  }

  /**
   * Parses {@code OPERATION=WEIGHT,...}.
   *
   * @throws IllegalArgumentException with a message for the user
   */
  public static Mix parse(String text) {
    EnumMap<Operation, Integer> weights = new EnumMap<>(Operation.class);
    for (String part : text.split(",", -1)) {
      String[] pair = part.strip().split("=", -1);
      if (pair.length != 2) {
        throw new IllegalArgumentException(
            "'" + part.strip() + "' is not a part of a mix; write OPERATION=WEIGHT, ...");
      }
      Operation operation = operation(pair[0].strip());
      if (weights.put(operation, weight(part.strip(), pair[1].strip())) != null) {
        throw new IllegalArgumentException(operation.wireName() + " is given twice");
      }
    }
    return new Mix(weights);
  }

  private static Operation operation(String name) {
    for (Operation operation : Operation.values()) {
      if (operation.wireName().equals(name) && !NOT_IN_A_MIX.contains(operation)) {
        return operation;
      }
    }
    throw new IllegalArgumentException("there is no operation '" + name + "'; " + allowed());
  }

  private static int weight(String part, String weight) {
    try {
      return Integer.parseInt(weight);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(part + ": a weight is a whole number", e);
    }
  }

  private static String allowed() {
    return EnumSet.complementOf(EnumSet.copyOf(NOT_IN_A_MIX)).stream()
        .map(Operation::wireName)
        .collect(Collectors.joining(", ", "operations are ", ""));
  }

  public int weight(Operation operation) {
    return weights.getOrDefault(operation, 0);
  }

  int blockLength() {
    return weights.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Returns whether any step needs an object in Fedora before it. */
  boolean needsObjects() {
    return weights.keySet().stream().anyMatch(OF_AN_OBJECT::contains);
  }

  static boolean isOfAnObject(Operation operation) {
    return OF_AN_OBJECT.contains(operation);
  }

  /** Returns the form that {@link #parse} reads. */
  @Override
  public String toString() {
    return weights.entrySet().stream()
        .map(entry -> entry.getKey().wireName() + "=" + entry.getValue())
        .collect(Collectors.joining(","));
  }
}
