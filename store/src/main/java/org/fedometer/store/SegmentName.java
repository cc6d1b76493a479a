package org.fedometer.store;

import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a file's name says of the segments whose content it holds: {@code 0a1b2c3d-000007.segment}
 * is the seventh segment that the store 0a1b2c3d wrote for the run, {@code
 * 0a1b2c3d-000001-000007.parquet} holds a table's rows of the first seven.
 *
 * @param storeId of the store that numbered the segments
 * @param first number of the first segment
 * @param last number of the last one
 */
public record SegmentName(String storeId, int first, int last) {
  private static final Pattern SEGMENT = Pattern.compile("([0-9a-f]{8})-(\\d{6,9})\\.segment");
  private static final Pattern SEALED =
      Pattern.compile("([0-9a-f]{8})-(\\d{6,9})-(\\d{6,9})\\.parquet");

  /** Of a segment; empty where the file is called otherwise. */
  public static Optional<SegmentName> ofSegment(Path file) {
    Matcher name = SEGMENT.matcher(file.getFileName().toString());
    return name.matches()
        ? Optional.of(
            new SegmentName(
                name.group(1), Integer.parseInt(name.group(2)), Integer.parseInt(name.group(2))))
        : Optional.empty();
  }

  /** Of a sealed file; empty where the file is called otherwise. */
  public static Optional<SegmentName> ofSealed(Path file) {
    Matcher name = SEALED.matcher(file.getFileName().toString());
    return name.matches()
        ? Optional.of(
            new SegmentName(
                name.group(1), Integer.parseInt(name.group(2)), Integer.parseInt(name.group(3))))
        : Optional.empty();
  }

  /** The name of the first segment's file. */
  public String segmentFile() {
    return "%s-%06d.segment".formatted(storeId, first);
  }

  /** The name of a sealed file. */
  public String sealedFile() {
    return "%s-%06d-%06d.parquet".formatted(storeId, first, last);
  }

  /** Whether a file of this name holds all that the other one does, and more. */
  public boolean covers(SegmentName other) {
    return storeId.equals(other.storeId)
        && first <= other.first
        && last >= other.last
        && !equals(other);
  }
}
