package org.fedometer.driver.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The write-ahead log: whatever is cut off its end, the rest is as it was. */
class JournalTest {

  @TempDir private Path folder;

  @Test
  void whatAWithdrawnObjectHasAddedToOthersIsWithdrawnWithIt() throws IOException {
    try (Journal journal = Journal.create(folder, 0)) {
      for (int i = 0; i < 2; i++) {
        journal.begun(i);
        journal.acknowledged(new Acknowledged(i, System.nanoTime(), 0, 55, 1000, 1, 0));
      }

      journal.withdrawn(1, 55, 1000, 1);

      assertThat(journal.state().totals()).isEqualTo(new Totals(55, 1000, 1, 0));
      assertThat(Journal.read(folder)).isEqualTo(journal.state());
    }
  }

  @Test
  void listsPendingObjectsAfterAKill() throws Exception {
    Path killed = folder.resolve("journal");
    try (Journal journal = Journal.create(killed, 0)) {
      journal.begun(0);
      journal.begun(1);
      journal.begun(2);
      journal.acknowledged(object(1));
      journal.failed(0);
      journal.begun(3);

      JournalState found = Journal.read(killed);

      assertThat(found.pending()).hasToString("2..3");
      assertThat(found.acknowledged()).hasToString("1");
      assertThat(found.failed()).hasToString("0");
      assertThat(found.nextIndex()).isEqualTo(4);
      assertThat(found).isEqualTo(journal.state());
    }
  }

  @Test
  void rejectsADamagedFirstFile() throws Exception {
    Path damaged = folder.resolve("journal");
    try (Journal journal = Journal.create(damaged, 0)) {
      assertThat(Journal.isWithoutObjects(damaged)).isTrue();
      for (int i = 0; i < 10; i++) {
        journal.begun(i);
        journal.acknowledged(object(i));
      }
      journal.tick();
      assertThat(Journal.isWithoutObjects(damaged)).isFalse();

      try (RandomAccessFile file = new RandomAccessFile(onlyFile(damaged).toFile(), "rw")) {
        file.seek(JournalFiles.HEAD.length + 2);
        file.write(0x7f);
      }

      assertThatThrownBy(() -> Journal.isWithoutObjects(damaged))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("cannot be read");
    }
  }

  @Test
  void aFirstFileThatWasNeverFinishedHasNoObjects() throws Exception {
    Path killed = folder.resolve("journal");
    try (Journal journal = Journal.create(killed, 0)) {
      try (RandomAccessFile file = new RandomAccessFile(onlyFile(killed).toFile(), "rw")) {
        file.setLength(JournalFiles.HEAD.length + 3L);
      }
      assertThat(Journal.isWithoutObjects(killed)).isTrue();
    }
  }

  @Test
  void anAcknowledgementIsOnRecordByTheNextTick() throws Exception {
    Path journalFolder = folder.resolve("journal");
    try (Journal journal = Journal.create(journalFolder, 0)) {
      journal.begun(0);
      journal.acknowledged(object(0));
      assertThat(Journal.read(journalFolder).pending()).hasToString("0");
      journal.tick();
      assertThat(Journal.read(journalFolder).pending().isEmpty()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void isWholeUpToItsLastBlockWhereverItIsCut(long seed) throws Exception {
    Path original = folder.resolve("journal");
    Random random = new Random(seed);
    List<JournalState> states = new ArrayList<>();
    List<Long> lengths = new ArrayList<>();
    try (Journal journal = Journal.create(original, 7)) {
      Path file = onlyFile(original);
      for (int step = 0; step < 200; step++) {
        somethingHappens(journal, random);
        journal.tick();
        states.add(journal.state());
        lengths.add(Files.size(file));
      }
      byte[] all = Files.readAllBytes(file);
      for (int cut = 0; cut < 300; cut++) {
        int length = (int) (lengths.get(0) + random.nextInt((int) (all.length - lengths.get(0))));
        Path copy = Files.createDirectories(folder.resolve("cut-" + cut));
        byte[] part = Arrays.copyOf(all, length);
        if (cut % 3 == 0) {
          // what a crash of the host leaves is not always short
          part = Arrays.copyOf(part, length + random.nextInt(64));
        }
        Files.write(copy.resolve(file.getFileName()), part);

        // zeros may be what was there: then there is more of it than was cut off
        int same = Arrays.mismatch(part, all);
        int known = lastWithin(lengths, same < 0 ? part.length : same);

        assertThat(Journal.read(copy)).isEqualTo(states.get(known));
      }
    }
  }

  @Test
  void goesOnInAnotherFileBeforeTheOldOneGoesAndKeepsTwoAtMost() throws Exception {
    Path journalFolder = folder.resolve("journal");
    Random random = new Random(3);
    try (Journal journal = Journal.create(journalFolder, 0, Stride.ALL, 2000)) {
      for (int step = 0; step < 5000; step++) {
        somethingHappens(journal, random);
        journal.tick();
        if (step % 50 == 0) {
          assertThat(Journal.read(journalFolder)).isEqualTo(journal.state());
          assertThat(journalFiles(journalFolder)).hasSizeLessThanOrEqualTo(2);
        }
      }
    }
  }

  @Test
  void storesAShardAsRanges() throws Exception {
    Path journalFolder = folder.resolve("journal");
    try (Journal journal = Journal.create(journalFolder, 0, new Stride(8, 2))) {
      for (int i = 2; i < 80_000; i += 8) {
        journal.begun(i);
        journal.acknowledged(object(i));
      }
      assertThatThrownBy(() -> journal.begun(3)).isInstanceOf(IllegalArgumentException.class);
    }

    assertThat(Files.size(onlyFile(journalFolder))).isLessThan(60);
    assertThat(Journal.read(journalFolder).acknowledged())
        .hasToString("2..79994 by 8")
        .satisfies(done -> assertThat(done.contains(79_994)).isTrue())
        .satisfies(done -> assertThat(done.contains(79_993)).isFalse())
        .satisfies(done -> assertThat(done.size()).isEqualTo(10_000));
  }

  @Test
  void aFileThatWasBegunWhenTheDriverWasKilledDoesNotCount() throws Exception {
    Path journalFolder = folder.resolve("journal");
    JournalState before;
    try (Journal journal = Journal.create(journalFolder, 0)) {
      journal.begun(0);
      before = journal.state();
      Path copy = folder.resolve("copy");
      Files.createDirectories(copy);
      Files.copy(onlyFile(journalFolder), copy.resolve("0000000001.journal"));
      byte[] next = Files.readAllBytes(onlyFile(journalFolder));
      for (int length : new int[] {0, 5, 8, 12}) {
        Files.write(copy.resolve("0000000002.journal"), Arrays.copyOf(next, length));
        assertThat(Journal.read(copy)).isEqualTo(before);
      }
      try (Journal resumed = Journal.resume(copy, FirstDriver.unknown())) {
        resumed.begun(1);
        assertThat(Journal.read(copy).pending()).hasToString("0..1");
      }
    }
  }

  @Test
  void aWriteThatFailedIsMadeGoodByTheNext() throws Exception {
    Path journalFolder = folder.resolve("journal");
    try (Journal journal = Journal.create(journalFolder, 0, Stride.ALL, 500)) {
      Path inTheWay = Files.createDirectory(journalFolder.resolve("0000000002.journal"));
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 1000; i++) {
                  journal.begun(i);
                }
              })
          .isInstanceOf(IOException.class);
      long begun = journal.state().nextIndex();
      assertThatThrownBy(() -> journal.begun(begun)).isInstanceOf(IOException.class);

      Files.delete(inTheWay);
      journal.begun(begun + 1);

      assertThat(Journal.read(journalFolder)).isEqualTo(journal.state());
      assertThat(journal.state().pending().contains(begun)).isTrue();
      assertThat(journalFiles(journalFolder)).hasSize(1);
    }
  }

  @Test
  void closesAfterAnInterruptedWrite() throws Exception {
    Path journalFolder = folder.resolve("journal");
    try (Journal journal = Journal.create(journalFolder, 0)) {
      journal.begun(0);
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> journal.failed(0)).isInstanceOf(ClosedByInterruptException.class);
      assertThat(Thread.interrupted()).isTrue();
    }

    assertThat(Journal.read(journalFolder).failed()).hasToString("0");
    Journal.resume(journalFolder, FirstDriver.unknown()).close();
  }

  @Test
  void writesNothingAfterClose() throws Exception {
    Path journalFolder = folder.resolve("journal");
    Journal journal = Journal.create(journalFolder, 0);
    journal.begun(0);
    journal.close();
    JournalState left = Journal.read(journalFolder);

    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(journal::allUnconfirmed)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("is closed");
    }

    assertThat(journalFiles(journalFolder)).hasSize(1);
    assertThat(Journal.read(journalFolder)).isEqualTo(left);
  }

  @Test
  void isOneDriversAtATime() throws Exception {
    Path journalFolder = folder.resolve("journal");
    try (Journal journal = Journal.create(journalFolder, 0)) {
      journal.begun(0);
      assertThatThrownBy(() -> Journal.resume(journalFolder, FirstDriver.unknown()))
          .isInstanceOf(JournalInUseException.class)
          .hasMessageContaining("still runs");
    }
    assertThatThrownBy(() -> Journal.create(journalFolder, 0))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("already");
    Journal.resume(journalFolder, FirstDriver.unknown()).close();
  }

  @Test
  void keepsTheModifiedTimeIfNothingIsWritten() throws Exception {
    Path journalFolder = folder.resolve("journal");
    Journal.create(journalFolder, 0).close();
    long anHourAgo = System.currentTimeMillis() - 3_600_000;
    Files.setLastModifiedTime(onlyFile(journalFolder), FileTime.fromMillis(anHourAgo));

    Journal.resume(journalFolder, FirstDriver.unknown()).close();
    assertThat(Journal.lastWrittenEpochMillis(journalFolder)).isEqualTo(anHourAgo);

    try (Journal journal = Journal.resume(journalFolder, FirstDriver.unknown())) {
      journal.allUnconfirmed();
    }
    assertThat(Journal.lastWrittenEpochMillis(journalFolder)).isGreaterThan(anHourAgo);
  }

  /** Its checksums detect faults of a disk, not foreign content. */
  @Test
  void readsOrRejectsForeignJournals() throws Exception {
    Path real = folder.resolve("journal");
    try (Journal journal = Journal.create(real, 0)) {
      for (int index = 0; index < 40; index += 3) {
        ingest(journal, index);
      }
      journal.flushBegun();
      journal.begun(41);
    }
    Path file;
    try (Stream<Path> files = Files.list(real)) {
      file = files.filter(each -> each.toString().endsWith(".journal")).findFirst().get();
    }
    byte[] sound = Files.readAllBytes(file);
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    int refused = 0;
    for (int i = 0; i < 3_000; i++) {
      byte[] forged = forged(sound, random);
      Files.write(file, forged);
      try {
        Journal.read(real);
      } catch (IOException e) {
        assertThat(e.getMessage()).as("seed %d", seed).hasLineCount(1).contains(real.toString());
        refused++;
      } catch (RuntimeException | Error e) {
        throw new AssertionError(
            "seed " + seed + ", journal " + i + ": " + HexFormat.of().formatHex(forged), e);
      }
    }
    assertThat(refused).as("refused with seed %d", seed).isPositive();
  }

  /** With some bytes of its blocks' content changed, and the checksums that belong to it. */
  private static byte[] forged(byte[] sound, Random random) {
    byte[] forged = sound.clone();
    CRC32C check = new CRC32C();
    int head = 8;
    check.update(forged, 0, head);
    for (int at = head; at < forged.length; ) {
      int begin = at;
      int length = 0;
      for (int shift = 0; ; shift += 7) {
        length |= (forged[at] & 0x7F) << shift;
        if (forged[at++] >= 0) {
          break;
        }
      }
      for (int change = random.nextInt(3); change > 0 && length > 0; change--) {
        forged[at + random.nextInt(length)] = (byte) random.nextInt(256);
      }
      at += length;
      check.update(forged, begin, at - begin);
      ByteBuffer.wrap(forged).putInt(at, (int) check.getValue());
      at += 4;
    }
    return forged;
  }

  @Test
  void whatIsNoFileOrLargerThanAnyJournalIsRefusedUnread() throws Exception {
    Path pipe = Files.createDirectories(folder.resolve("pipe"));
    Process made =
        new ProcessBuilder("mkfifo", pipe.resolve("0000000001.journal").toString()).start();
    assertThat(made.waitFor()).isZero();
    Path large = Files.createDirectories(folder.resolve("large"));
    try (RandomAccessFile sparse =
        new RandomAccessFile(large.resolve("0000000001.journal").toFile(), "rw")) {
      sparse.setLength(3L << 30);
    }

    assertThatThrownBy(() -> Journal.read(pipe))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no journal");
    assertThatThrownBy(() -> Journal.resume(pipe, FirstDriver.unknown()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no journal");
    assertThatThrownBy(() -> Journal.read(large))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("larger than any journal");
  }

  @Test
  void whatIsNoJournalIsRefused() throws Exception {
    assertThatThrownBy(() -> Journal.resume(folder.resolve("none"), FirstDriver.unknown()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no journal");
    Path other = Files.createDirectories(folder.resolve("other"));
    Files.writeString(other.resolve("0000000001.journal"), "something else entirely");
    assertThatThrownBy(() -> Journal.resume(other, FirstDriver.unknown()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("not a journal of this version");
  }

  @Test
  void objectsAreUnconfirmedUntilAFlushThatWasBegunAfterThemIsConfirmed() throws Exception {
    try (Journal journal = Journal.create(folder.resolve("journal"), 0)) {
      ingest(journal, 0);
      journal.flushBegun();
      ingest(journal, 1);
      assertThat(journal.state().unflushed()).hasToString("0..1");

      journal.flushConfirmed();
      assertThat(journal.state().unflushed()).hasToString("1");

      journal.flushBegun();
      ingest(journal, 2);
      journal.flushFailed();
      assertThat(journal.state().unconfirmed()).hasToString("1");
      assertThat(journal.state().unflushed()).hasToString("2");

      journal.allUnconfirmed();
      assertThat(journal.state().unconfirmed()).hasToString("1..2");
      assertThat(journal.state().unflushed().isEmpty()).isTrue();

      journal.confirmed(1);
      journal.withdrawn(2, 54, 1000, 0);
      assertThat(journal.state().unconfirmed().isEmpty()).isTrue();
      assertThat(journal.state().pending()).hasToString("2");
      assertThat(journal.state().totals()).isEqualTo(new Totals(108, 2000, 0, 0));
      assertThat(Journal.read(journal.folder())).isEqualTo(journal.state());
    }
  }

  @Test
  void takesLessThan24BytesAnObject() throws Exception {
    Path journalFolder = folder.resolve("journal");
    try (Journal journal = Journal.create(journalFolder, 0)) {
      int workers = 4;
      Random random = new Random(5);
      long now = System.nanoTime();
      int objects = 100_000;
      for (int i = 0; i < objects + workers; i++) {
        if (i >= workers) {
          now += random.nextInt(10_000_000);
          journal.acknowledged(
              new Acknowledged(
                  i - workers,
                  now,
                  random.nextInt(200_000_000),
                  34 + random.nextInt(36),
                  random.nextInt(300_000),
                  0,
                  0));
        }
        if (i < objects) {
          journal.begun(i);
        }
      }
      journal.tick();
      assertThat(journal.bytesWritten() / (double) objects).isLessThan(24);
    }
    assertThat(Files.size(onlyFile(journalFolder))).isLessThan(200);
  }

  private static void ingest(Journal journal, long index) throws IOException {
    journal.begun(index);
    journal.acknowledged(object(index));
  }

  private static Acknowledged object(long index) {
    return new Acknowledged(index, System.nanoTime(), 1_000_000, 54, 1000, 0, 0);
  }

  private static void somethingHappens(Journal journal, Random random) throws IOException {
    JournalState state = journal.state();
    switch (random.nextInt(10)) {
      case 0 -> journal.flushBegun();
      case 1 -> journal.flushConfirmed();
      case 2 -> {
        if (random.nextInt(5) == 0) {
          journal.allUnconfirmed();
        } else {
          journal.flushFailed();
        }
      }
      case 3 -> {
        if (!state.unconfirmed().isEmpty()) {
          long suspect = state.unconfirmed().iterator().nextLong();
          if (random.nextBoolean()) {
            journal.confirmed(suspect);
          } else {
            journal.withdrawn(suspect, 54, 1000, random.nextInt(2));
          }
        }
      }
      case 4, 5, 6 -> journal.begun(state.nextIndex());
      default -> {
        if (!state.pending().isEmpty()) {
          long index = state.pending().iterator().nextLong();
          if (random.nextInt(8) == 0) {
            journal.failed(index);
          } else {
            journal.acknowledged(
                new Acknowledged(
                    index, System.nanoTime(), random.nextInt(1 << 30), 54, 1000, index % 2, 0));
          }
        }
      }
    }
  }

  private static int lastWithin(List<Long> lengths, long length) {
    int known = 0;
    while (known + 1 < lengths.size() && lengths.get(known + 1) <= length) {
      known++;
    }
    return known;
  }

  private static Path onlyFile(Path journalFolder) throws IOException {
    List<Path> files = journalFiles(journalFolder);
    assertThat(files).hasSize(1);
    return files.get(0);
  }

  private static List<Path> journalFiles(Path journalFolder) throws IOException {
    try (Stream<Path> files = Files.list(journalFolder)) {
      return files.filter(path -> path.toString().endsWith(".journal")).toList();
    }
  }
}
