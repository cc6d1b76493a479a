package org.fedometer.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunFetchTest {
  @TempDir Path folder;

  @Test
  void filesOfWhateverNameAreFetchedButTheStoresOwnTemporaryOnes() throws Exception {
    RunStore elsewhere = RunStore.at(folder.resolve("there"));
    RunFolder there = elsewhere.folderOf("night");
    List<String> names = OddFiles.writeInto(there);
    RunStore here = RunStore.at(folder.resolve("here"));
    RunSummary summary = elsewhere.summaries().get(0);

    assertThat(new RunFetch(there, summary, here).copy().files()).isEqualTo(names.size());

    assertThat(OddFiles.in(here.run("night"))).containsExactlyInAnyOrderElementsOf(names);
    for (String name : names) {
      assertThat(here.run("night").path().resolve(name))
          .hasSameBinaryContentAs(there.path().resolve(name));
    }
    new RunFetch(there, summary, here).copy();
    assertThat(OddFiles.in(here.run("night"))).containsExactlyInAnyOrderElementsOf(names);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"../escaped", "/escaped", "a/../../escaped", "a\\b", "a\nb", "", "segments/x"})
  void aFileThatWouldLeaveTheRunIsNotFetched(String path) throws Exception {
    RunStore here = RunStore.at(folder.resolve("deep/store"));

    assertThatThrownBy(() -> new RunFetch(new Hostile(path), summary(null), here).copy())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("\"" + path + "\"");

    assertNothingIsWrittenBut();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/../../../../escaped/", "..", "a/b", "\u0000"})
  void foreignIdentityCannotLeaveTheStore(String id) throws Exception {
    RunStore here = RunStore.at(folder.resolve("deep/store"));

    new RunFetch(new Hostile("notes.txt"), summary(id), here).copy();

    assertNothingIsWrittenBut(here.run("night").path().resolve("notes.txt"));
    try (Stream<Path> below = Files.list(folder)) {
      assertThat(below).containsExactly(folder.resolve("deep"));
    }
  }

  @Test
  void stopsAfterFivePasses() throws Exception {
    RunStore here = RunStore.at(folder.resolve("deep/store"));
    Vanishing fleeting = new Vanishing(Integer.MAX_VALUE);

    assertThatThrownBy(() -> new RunFetch(fleeting, summary(null), here).copy())
        .isInstanceOf(IOException.class)
        .hasMessage("The files of the run change too quickly; fetch again later");

    assertThat(fleeting.opened).containsExactly("logs/1", "logs/3", "logs/5", "logs/7", "logs/9");
    assertThat(fleeting.listings).as("one before and one after each file").isEqualTo(10);
    assertNothingIsWrittenBut();
    assertThat(here.runs()).isEmpty();
  }

  @Test
  void aFileThatHasGoneFourTimesUnderAnotherNameIsFetchedTheFifthTime() throws Exception {
    RunStore here = RunStore.at(folder.resolve("deep/store"));
    Vanishing fleeting = new Vanishing(4);

    assertThat(new RunFetch(fleeting, summary(null), here).copy().files()).isOne();

    assertNothingIsWrittenBut(here.run("night").path().resolve("logs/9"));
  }

  @Test
  void resumedFetchKeepsItsFiles() throws Exception {
    RunStore here = RunStore.at(folder.resolve("store"));
    Path aside = Files.createDirectories(here.runsDirectory().resolve(".fetched-01X-night"));
    Path first = Files.write(aside.resolve("first"), new byte[1]);
    Files.setLastModifiedTime(first, FileTime.fromMillis(1_000));
    Files.setLastModifiedTime(aside, FileTime.from(Instant.now().minus(Duration.ofDays(8))));
    RunView there =
        new Elusive() {
          @Override
          public List<RunFile> files() {
            return List.of(new RunFile("first", 1, 1_000L), new RunFile("second", 1, 1_000L));
          }

          @Override
          public InputStream open(String asked) throws IOException {
            RunDeletion.finishInterrupted(here);
            return new ByteArrayInputStream(new byte[1]);
          }
        };

    RunFetch.Result result = new RunFetch(there, summary("01X"), here).copy();

    assertThat(result.unchanged()).isOne();
    assertThat(result.files()).isOne();
    assertThat(OddFiles.in(here.run("night"))).containsExactlyInAnyOrder("first", "second");
  }

  /** As a flight recording does while its run is sealed. */
  @Test
  void aFileThatHasGrownFarSinceItWasListedIsFetchedAsItIsNow() throws Exception {
    RunStore here = RunStore.at(folder.resolve("store"));
    long listed = 10;
    long now = 70L << 20;
    AtomicInteger listings = new AtomicInteger();
    RunView growing =
        new Elusive() {
          @Override
          public List<RunFile> files() {
            long size = listings.getAndIncrement() == 0 ? listed : now;
            return List.of(new RunFile("recordings/fedora.jfr", size, 1_000L));
          }

          @Override
          public InputStream open(String asked) {
            return new Zeros(now);
          }
        };

    assertThat(new RunFetch(growing, summary(null), here).copy().bytes()).isEqualTo(now);

    assertThat(here.run("night").path().resolve("recordings/fedora.jfr")).hasSize(now);
  }

  @Test
  void aFileOfWhichMoreComesThanItsCollectorEverListsIsGivenUp() throws Exception {
    RunStore here = RunStore.at(folder.resolve("store"));
    AtomicInteger listings = new AtomicInteger();
    RunView liar =
        new Elusive() {
          @Override
          public List<RunFile> files() {
            listings.incrementAndGet();
            return List.of(new RunFile("recordings/fedora.jfr", 10, 1_000L));
          }

          @Override
          public InputStream open(String asked) {
            return new Zeros(Long.MAX_VALUE);
          }
        };

    assertThatThrownBy(() -> new RunFetch(liar, summary(null), here).copy())
        .isInstanceOf(IOException.class)
        .hasMessage(
            "recordings/fedora.jfr, listed with 10 bytes, does not stop growing; fetch again");

    assertThat(listings.get()).isLessThan(10);
    assertNothingIsWrittenBut();
  }

  private void assertNothingIsWrittenBut(Path... files) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      assertThat(all.filter(Files::isRegularFile)).containsExactly(files);
    }
  }

  private static RunSummary summary(String id) {
    return new RunSummary(
        "night", id, RunSummary.UNKNOWN, null, null, null, null, null, null, null, 0, null, null);
  }

  /** A run without tables and documents. */
  private interface Elusive extends RunView {
    @Override
    default String name() {
      return "night";
    }

    @Override
    default boolean hasDocument() {
      return false;
    }

    @Override
    default RunDocument document() throws IOException {
      throw new IOException("none");
    }

    @Override
    default Map<String, RunDocument> parts() {
      return Map.of();
    }

    @Override
    default Query query() throws IOException, QueryException {
      return new RunFolder(Path.of("no", "such", "run")).query();
    }
  }

  /** A run whose one file has another name at each listing, until it was requested often enough. */
  private static final class Vanishing implements Elusive {
    private final int goneTimes;
    private final List<String> opened = new ArrayList<>();
    private int listings;

    Vanishing(int goneTimes) {
      this.goneTimes = goneTimes;
    }

    @Override
    public List<RunFile> files() {
      listings++;
      return List.of(new RunFile("logs/" + listings, 1, 1_000L));
    }

    @Override
    public InputStream open(String path) throws IOException {
      opened.add(path);
      if (opened.size() <= goneTimes) {
        throw new IOException("gone");
      }
      return new ByteArrayInputStream(new byte[1]);
    }
  }

  /** A run that has one file. */
  private record Hostile(String path) implements Elusive {
    @Override
    public List<RunFile> files() {
      return List.of(new RunFile(path, 1, 1_000L));
    }

    @Override
    public InputStream open(String asked) {
      return new ByteArrayInputStream(new byte[1]);
    }
  }

  /** So many bytes, all zero. */
  private static final class Zeros extends InputStream {
    private long left;

    Zeros(long bytes) {
      this.left = bytes;
    }

    @Override
    public int read() {
      return left-- > 0 ? 0 : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      int count = (int) Math.min(length, left);
      Arrays.fill(target, offset, offset + count, (byte) 0);
      left -= count;
      return count == 0 ? -1 : count;
    }
  }
}
