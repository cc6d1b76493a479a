package org.fedometer.store;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The segments in a file, by its name. {@code 0a1b2c3d-000007.segment} is the seventh segment that
 * the store 0a1b2c3d wrote for the run; {@code 0a1b2c3d-000001-000007.parquet} has a table's rows
 * of the first seven.
 *
 * <p>A collector cannot know whether another store continued a segment after it was copied. It
 * therefore seals such a segment as a part, {@code 0a1b2c3d-000007-000007.part-4096.parquet}: the
 * first 4,096 bytes. The whole segment, or a longer part, replaces it if it is copied here later.
 *
 * @param storeId of the store that numbered the segments
 * @param partBytes size of the part of the one segment, 0 for all
 */
public record SegmentName(String storeId, int first, int last, long partBytes) {
  /** By store, then in writing order; of two with the same start the larger one first. */
  public static final Comparator<SegmentName> ORDER =
      Comparator.comparing(SegmentName::storeId)
          .thenComparingInt(SegmentName::first)
          .thenComparing(Comparator.comparingInt(SegmentName::last).reversed())
          .thenComparingInt(name -> name.partBytes() == 0 ? 0 : 1)
          .thenComparing(Comparator.comparingLong(SegmentName::partBytes).reversed());

  private static final Pattern SEGMENT = Pattern.compile("([0-9a-f]{8})-(\\d{6,9})\\.segment");
  private static final Pattern SEALED =
      Pattern.compile("([0-9a-f]{8})-(\\d{6,9})-(\\d{6,9})(?:\\.part-(\\d{1,18}))?\\.parquet");

  /** Creates the name of complete segments. */
  public SegmentName(String storeId, int first, int last) {
    this(storeId, first, last, 0);
  }

  /** Parses a segment's name; empty for any other file. */
  public static Optional<SegmentName> ofSegment(Path file) {
    Matcher name = SEGMENT.matcher(file.getFileName().toString());
    return name.matches()
        ? Optional.of(
            new SegmentName(
                name.group(1), Integer.parseInt(name.group(2)), Integer.parseInt(name.group(2))))
        : Optional.empty();
  }

  /** Parses a sealed file's name; empty for any other file. */
  public static Optional<SegmentName> ofSealed(Path file) {
    Matcher name = SEALED.matcher(file.getFileName().toString());
    return name.matches()
        ? Optional.of(
            new SegmentName(
                name.group(1),
                Integer.parseInt(name.group(2)),
                Integer.parseInt(name.group(3)),
                name.group(4) == null ? 0 : Long.parseLong(name.group(4))))
        : Optional.empty();
  }

  /** Returns the name of the first segment's file. */
  public String segmentFile() {
    return String.format(Locale.ROOT, "%s-%06d.segment", storeId, first);
  }

  public String sealedFile() {
    String part = partBytes == 0 ? "" : ".part-" + partBytes;
    return String.format(Locale.ROOT, "%s-%06d-%06d%s.parquet", storeId, first, last, part);
  }

  /** Returns this name for only so many bytes of the segment. */
  public SegmentName part(long bytes) {
    return new SegmentName(storeId, first, last, bytes);
  }

  /** Returns whether a file of this name has all content of the other one, and more. */
  public boolean covers(SegmentName other) {
    if (!storeId.equals(other.storeId) || equals(other)) {
      return false;
    }
    return partBytes == 0
        ? first <= other.first && last >= other.last
        : first == other.first
            && last == other.last
            && other.partBytes > 0
            && partBytes > other.partBytes;
  }
}
