package org.fedometer.driver.mix;

import java.util.Map;
import org.fedometer.datasets.random.StableRandom;
import org.fedometer.driver.fedora.Operation;

/**
 * Computes step <i>n</i> of a mix: a pure function of mix, seed, preload and <i>n</i>. A resume,
 * another worker or a verification can repeat it without state.
 *
 * <p>Steps come in blocks with exactly the weights of the mix, each in its own order, so that
 * counts before a block are products. Caches the latest block; one instance per thread.
 */
public final class MixOrder {

  private static final int ORDER = 1;
  private static final int TARGET = 2;

  /**
   * One step.
   *
   * @param number of the step, from 0
   * @param target index of its object, or -1
   */
  record MixStep(long number, Operation operation, long target) {}

  private final Mix mix;
  private final long seed;
  private final long preload;
  private final long leadingObjects;
  private final int blockLength;
  private final int ingestsPerBlock;
  private final int purgesPerBlock;
  private final Operation[] operations;
  private final int[] ingestsBefore;
  private final int[] purgesBefore;
  private long block = -1;

  /**
   * @param leadingObjects of the dataset; never purged or chosen
   */
  public MixOrder(MixOptions options, long leadingObjects) {
    this.mix = options.mix();
    this.seed = options.seed();
    this.preload = options.preload();
    this.leadingObjects = leadingObjects;
    this.blockLength = mix.blockLength();
    this.ingestsPerBlock = mix.weight(Operation.INGEST);
    this.purgesPerBlock = mix.weight(Operation.PURGE);
    this.operations = new Operation[blockLength];
    this.ingestsBefore = new int[blockLength];
    this.purgesBefore = new int[blockLength];
  }

  MixStep step(long number) {
    int place = loadBlock(number);
    Operation operation = operations[place];
    long oldest = oldest(place);
    long end = end(place);
    long target =
        switch (operation) {
          case INGEST -> end;
          case PURGE -> oldest;
          default -> Mix.isOfAnObject(operation) ? oldest + chosen(number, end - oldest) : -1;
        };
    return new MixStep(number, operation, target);
  }

  /** Returns the number of objects ingested in steps before {@code number}, without the preload. */
  public long ingestsBefore(long number) {
    int place = loadBlock(number);
    return block * ingestsPerBlock + ingestsBefore[place];
  }

  long purgesBefore(long number) {
    int place = loadBlock(number);
    return block * purgesPerBlock + purgesBefore[place];
  }

  private long oldest(int place) {
    return leadingObjects + block * purgesPerBlock + purgesBefore[place];
  }

  private long end(int place) {
    return preload + block * ingestsPerBlock + ingestsBefore[place];
  }

  private long chosen(long number, long objects) {
    return Math.floorMod(StableRandom.of(seed, TARGET, number).nextLong(), objects);
  }

  /** Computes the step's block, and returns the step's position in it. */
  private int loadBlock(long number) {
    long wanted = number / blockLength;
    if (wanted != block) {
      int next = 0;
      for (Map.Entry<Operation, Integer> entry : mix.weights().entrySet()) {
        for (int i = 0; i < entry.getValue(); i++) {
          operations[next++] = entry.getKey();
        }
      }
      StableRandom random = StableRandom.of(seed, ORDER, wanted);
      for (int i = blockLength - 1; i > 0; i--) {
        int other = random.nextInt(i + 1);
        Operation moved = operations[i];
        operations[i] = operations[other];
        operations[other] = moved;
      }
      int ingests = 0;
      int purges = 0;
      for (int i = 0; i < blockLength; i++) {
        ingestsBefore[i] = ingests;
        purgesBefore[i] = purges;
        ingests += operations[i] == Operation.INGEST ? 1 : 0;
        purges += operations[i] == Operation.PURGE ? 1 : 0;
      }
      block = wanted;
    }
    return (int) (number % blockLength);
  }
}
