package org.fedometer.wire.spool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.client.ClientOptions;
import org.fedometer.wire.client.CollectorClient;
import org.fedometer.wire.client.ScriptedCollector;
import org.fedometer.wire.session.Hello;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A client whose collector stays away for longer than its memory lasts. */
@Timeout(120)
class SpoolTest {
  private static final int MEMORY = 6 * 1024 * 1024;
  private static final int MIN_MEMORY = 4 * 1024 * 1024;
  private static final int PAYLOAD = 100_000;

  /** Three times what memory holds. */
  private static final int FRAMES = 180;

  private static final long PLENTY = 256L * 1024 * 1024;

  @TempDir Path temporary;
  private Path folder;
  private ScriptedCollector collector;
  private CollectorClient client;
  private int offered;

  @BeforeEach
  void collectorIsAway() throws Exception {
    folder = temporary.resolve("made/when/needed");
    collector = new ScriptedCollector();
    collector.goAway();
  }

  @AfterEach
  void hangUp() throws Exception {
    if (client != null) {
      client.close();
    }
    collector.close();
  }

  @Test
  void anOutageLongerThanMemoryLosesNothing() throws Exception {
    client = CollectorClient.open(options().build());
    offerAll(FRAMES);
    await().untilAsserted(() -> assertThat(client.status().spooledBytes()).isGreaterThan(MEMORY));

    collector.comeBack();
    try (ScriptedCollector.Peer peer = collector.accept().welcome(0)) {
      for (int i = 1; i <= FRAMES; i++) {
        assertIsOffered(peer.read(), i);
        assertThat(client.status().queuedBytes()).isLessThanOrEqualTo(MEMORY);
        peer.acknowledge(i);
      }
      assertThat(client.awaitAcknowledged(50_000)).isTrue();
      offerAll(1);
      assertIsOffered(peer.read(), FRAMES + 1);
      peer.acknowledge(FRAMES + 1);
      assertThat(client.awaitAcknowledged(50_000)).isTrue();
    }
    await().untilAsserted(() -> assertThat(files(".spool")).isEmpty());
    assertThat(client.status().framesDropped()).isZero();
    assertThat(client.status().framesLost()).isZero();
    assertThat(client.status().spooledBytes()).isZero();
    assertThat(client.status().spoolError()).isEmpty();
    client.close();
    assertThat(files("")).isEmpty();
  }

  @Test
  void withoutASpoolItLosesAndCountsWhatMemoryDoesNotHold() throws Exception {
    client = CollectorClient.open(collector.options().maxQueuedBytes(MEMORY).build());
    int taken = 0;
    for (int i = 0; i < FRAMES; i++) {
      taken += client.offer(FrameType.SAMPLES, payload(i)) ? 1 : 0;
    }
    assertThat(taken).isBetween(55, 65);
    assertThat(client.status().framesDropped()).isEqualTo(FRAMES - taken);
    assertThat(client.status().spooledBytes()).isZero();
  }

  @Test
  void usesNoDiskWhileMemorySuffices() throws Exception {
    client = CollectorClient.open(options().build());
    for (int i = 0; i < 40; i++) {
      assertThat(client.offer(FrameType.SAMPLES, payload(++offered))).isTrue();
    }
    collector.comeBack();
    try (ScriptedCollector.Peer peer = collector.accept().welcome(0)) {
      for (int i = 1; i <= 40; i++) {
        assertIsOffered(peer.read(), i);
        peer.acknowledge(i);
      }
    }
    assertThat(files("")).isEmpty();
  }

  @Test
  void staysWithinItsDiskLimit() throws Exception {
    long bound = 5 * 1024 * 1024;
    client = CollectorClient.open(options().spool(folder, bound).build());
    int taken = 0;
    while (!client.status().spoolError().contains("full")) {
      taken += client.offer(FrameType.SAMPLES, payload(taken + 1)) ? 1 : 0;
      assertThat(sizeOfFiles()).isLessThanOrEqualTo(bound);
    }
    assertThat(client.status().spoolError()).contains(String.valueOf(bound));
    assertThat(client.status().spooledBytes()).isLessThanOrEqualTo(bound);
    while (client.offer(FrameType.SAMPLES, payload(taken + 1))) {
      taken++;
    }
    assertThat(client.status().framesDropped()).isPositive();

    collector.comeBack();
    try (ScriptedCollector.Peer peer = collector.accept().welcome(0)) {
      for (int i = 1; i <= taken; i++) {
        assertIsOffered(peer.read(), i);
        peer.acknowledge(i);
      }
      assertThat(client.awaitAcknowledged(50_000)).isTrue();
    }
    assertThat(client.status().framesLost()).isZero();
    assertThat(client.status().spoolError()).as("it is full no more").isEmpty();
  }

  @Test
  void aCollectorKilledWhileItCatchesUpGetsEachFrameOnce() throws Exception {
    client = CollectorClient.open(options().build());
    offerAll(FRAMES);
    collector.comeBack();
    List<Long> durable = new ArrayList<>();
    for (int life = 0; durable.size() < FRAMES; life++) {
      try (ScriptedCollector.Peer peer = collector.accept().welcome(durable.size())) {
        // More is read than becomes durable, and more becomes durable than is acknowledged.
        for (int i = 0; i < 29 && durable.size() < FRAMES; i++) {
          Frame frame = peer.read();
          if (i < 23 || FRAMES - durable.size() < 10) {
            assertIsOffered(frame, durable.size() + 1);
            durable.add(frame.sequence());
            if (i % 5 == life % 5) {
              peer.acknowledge(frame.sequence());
            }
          }
        }
        if (durable.size() == FRAMES) {
          peer.acknowledge(FRAMES);
          assertThat(client.awaitAcknowledged(50_000)).isTrue();
        }
      }
    }
    assertThat(durable).containsExactlyElementsOf(upTo(FRAMES));
    assertThat(client.status().connections()).isGreaterThan(3);
    assertThat(client.status().framesLost()).isZero();
  }

  @Test
  void aFileThatBreaksCostsItsFramesAndNoOthers() throws Exception {
    client = CollectorClient.open(options().build());
    offerAll(FRAMES);
    await().untilAsserted(() -> assertThat(files(".spool")).hasSizeGreaterThan(2));
    Path second = files(".spool").get(1);
    long first = firstSequenceOf(second);
    long next = firstSequenceOf(files(".spool").get(2));
    flipAByteInTheMiddleOf(second);

    collector.comeBack();
    List<Long> received = new ArrayList<>();
    try (ScriptedCollector.Peer peer = collector.accept().welcome(0)) {
      long last = 0;
      while (last < first - 1 || !client.status().spoolError().contains(second.toString())) {
        last = peer.read().sequence();
        received.add(last);
        peer.acknowledge(last);
      }
      // The rest of the broken file, until the gap.
      while (true) {
        last = peer.read().sequence();
        received.add(last);
        peer.acknowledge(last);
      }
    } catch (IOException connectsAnew) {
      // A new HELLO declares the first available frame.
    }
    try (ScriptedCollector.Peer peer = collector.accept()) {
      assertThat(peer.hello().firstAvailableSequence()).isEqualTo(next);
      peer.welcome(received.get(received.size() - 1));
      while (received.get(received.size() - 1) < FRAMES) {
        received.add(peer.read().sequence());
        peer.acknowledge(received.get(received.size() - 1));
      }
      assertThat(client.awaitAcknowledged(50_000)).isTrue();
    }
    List<Long> lost = new ArrayList<>(upTo(FRAMES));
    lost.removeAll(received);
    assertThat(received).isSorted().doesNotHaveDuplicates();
    assertThat(lost).isNotEmpty().allMatch(sequence -> sequence >= first && sequence < next);
    assertThat(client.status().framesLost()).isEqualTo(lost.size());
    assertThat(client.status().spoolError()).contains("are lost").contains(second.toString());
  }

  @Test
  void reportsAFileThatCannotBeOpenedAndRetriesIt() throws Exception {
    client = CollectorClient.open(options().build());
    offerAll(FRAMES);
    await().untilAsserted(() -> assertThat(files(".spool")).hasSizeGreaterThan(2));
    Path second = files(".spool").get(1);
    int first = (int) firstSequenceOf(second);
    Path elsewhere = Files.move(second, temporary.resolve("elsewhere"));
    // Not even root can open it, nor see its target.
    Files.createSymbolicLink(second, second);

    collector.comeBack();
    try (ScriptedCollector.Peer peer = collector.accept().welcome(0)) {
      for (int i = 1; i < first; i++) {
        assertIsOffered(peer.read(), i);
        peer.acknowledge(i);
      }
      await()
          .untilAsserted(
              () -> assertThat(client.status().spoolError()).contains(second.toString()));
      // As one: in a moment without it, its frames would be lost.
      Files.move(elsewhere, second, StandardCopyOption.ATOMIC_MOVE);
      for (int i = first; i <= FRAMES; i++) {
        assertIsOffered(peer.read(), i);
        peer.acknowledge(i);
      }
      assertThat(client.awaitAcknowledged(10_000)).isTrue();
    }
    assertThat(client.status().framesLost()).isZero();
    assertThat(client.status().spoolError()).isEmpty();
  }

  @Test
  void aFolderThatIsRemovedCostsWhatWasInItAndIsMadeAgain() throws Exception {
    client = CollectorClient.open(options().build());
    offerAll(FRAMES / 2);
    await().untilAsserted(() -> assertThat(files(".spool")).isNotEmpty());
    deleteFolder();
    offerAll(FRAMES / 2);
    await().untilAsserted(() -> assertThat(files(".spool")).isNotEmpty());

    collector.comeBack();
    List<Long> received = new ArrayList<>();
    while (received.isEmpty() || received.get(received.size() - 1) < FRAMES) {
      long last = received.isEmpty() ? 0 : received.get(received.size() - 1);
      try (ScriptedCollector.Peer peer = collector.accept().welcome(last)) {
        while (received.isEmpty() || received.get(received.size() - 1) < FRAMES) {
          received.add(peer.read().sequence());
          peer.acknowledge(received.get(received.size() - 1));
        }
        assertThat(client.awaitAcknowledged(50_000)).isTrue();
      } catch (IOException connectsAnew) {
        // Behind the gap.
      }
    }
    assertThat(received).isSorted().doesNotHaveDuplicates();
    assertThat(client.status().framesLost()).isPositive().isEqualTo(FRAMES - received.size());
  }

  @Test
  void reportsAnUnusableFolderAndKeepsUsingMemory() throws Exception {
    Files.createDirectories(temporary);
    Files.writeString(temporary.resolve("file"), "");
    client = CollectorClient.open(options().spool(temporary.resolve("file/below"), PLENTY).build());
    await().untilAsserted(() -> assertThat(client.status().spoolError()).contains("file"));
    int taken = 0;
    while (client.offer(FrameType.SAMPLES, payload(taken + 1))) {
      taken++;
    }
    assertThat(taken).isGreaterThan(50);
    assertThat(client.status().framesDropped()).isEqualTo(1);

    collector.comeBack();
    try (ScriptedCollector.Peer peer = collector.accept().welcome(0)) {
      for (int i = 1; i <= taken; i++) {
        assertIsOffered(peer.read(), i);
        peer.acknowledge(i);
      }
      assertThat(client.awaitAcknowledged(50_000)).isTrue();
    }
  }

  @Test
  void nextClientForwardsTheSpoolOfAnEndedProcess() throws Exception {
    UUID ended = UUID.randomUUID();
    client =
        CollectorClient.open(
            options()
                .source(ended)
                .sourceName("fedora")
                .runName("night")
                .tokenOrNull("old secret")
                .attribute("bootId", "b")
                .build());
    offerAll(FRAMES);
    client.close();
    assertThat(files(".spool")).isNotEmpty();
    for (Path file : files(".spool")) {
      assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
          .doesNotContain("old secret");
    }

    collector.comeBack();
    client = CollectorClient.open(options().tokenOrNull("secret").build());
    await().untilAsserted(() -> assertThat(client.status().spooledBytes()).isPositive());
    try (ScriptedCollector.Peer own = collector.accept().welcome(0);
        ScriptedCollector.Peer heir = collector.accept()) {
      assertThat(own.hello().source()).isNotEqualTo(ended);
      assertThat(heir.hello().source()).isEqualTo(ended);
      assertThat(heir.hello().sourceName()).isEqualTo("fedora");
      assertThat(heir.hello().runName()).isEqualTo("night");
      assertThat(heir.hello().token()).isEqualTo("secret");
      assertThat(heir.hello().attributes()).containsEntry("bootId", "b");
      assertThat(heir.hello().firstAvailableSequence()).isEqualTo(1);
      heir.welcome(0);
      for (int i = 1; i <= FRAMES; i++) {
        assertIsOffered(heir.read(), i);
        heir.acknowledge(i);
      }
      assertThatThrownBy(heir::read).isInstanceOf(IOException.class);
      await().untilAsserted(() -> assertThat(files("")).isEmpty());
      assertThat(client.status().spooledBytes()).isZero();
      client.offer(FrameType.SAMPLES, payload(1));
      assertIsOffered(own.read(), 1);
    }
  }

  /**
   * A killed process leaves a truncated newest file, and the collector has more than it
   * acknowledged.
   */
  @Test
  void killedProcessLeavesItsCompleteFrames() throws Exception {
    client = CollectorClient.open(options().build());
    offerAll(FRAMES);
    client.close();
    List<Path> files = files(".spool");
    Path newest = files.get(files.size() - 1);
    try (RandomAccessFile file = new RandomAccessFile(newest.toFile(), "rw")) {
      file.setLength(file.length() - PAYLOAD / 2);
    }
    Files.writeString(folder.resolve(UUID.randomUUID() + "-1.spool"), "no spool");
    Files.writeString(folder.resolve("notes.spool"), "another program's");

    collector.comeBack();
    client = CollectorClient.open(options().build());
    try (ScriptedCollector.Peer own = collector.accept().welcome(0);
        ScriptedCollector.Peer heir = collector.accept().welcome(FRAMES / 2)) {
      assertThat(own.hello().firstAvailableSequence()).isEqualTo(1);
      for (int i = FRAMES / 2 + 1; i < FRAMES; i++) {
        assertIsOffered(heir.read(), i);
        heir.acknowledge(i);
      }
      assertThatThrownBy(heir::read).isInstanceOf(IOException.class);
    }
    await().untilAsserted(() -> assertThat(files("")).hasSize(2));
    assertThat(files(""))
        .extracting(file -> file.getFileName().toString())
        .contains("notes.spool")
        .anyMatch(name -> name.endsWith(".unreadable"));
    assertThat(client.status().spoolError()).contains(files(".unreadable").get(0).toString());
  }

  @Test
  void reportsAnUnreadableFileAndForwardsItOnceReadable() throws Exception {
    client = CollectorClient.open(options().build());
    offerAll(10);
    client.close();
    Path file = files(".spool").get(0);
    Path elsewhere = Files.move(file, temporary.resolve("elsewhere"));
    // Not even root can read a folder as a file.
    Files.createDirectory(file);

    client = CollectorClient.open(options().build());
    await().untilAsserted(() -> assertThat(client.status().spoolError()).contains(file.toString()));
    Files.delete(file);
    Files.move(elsewhere, file);
    client.scanSpool();
    collector.comeBack();
    try (ScriptedCollector.Peer own = collector.accept().welcome(0);
        ScriptedCollector.Peer heir = collector.accept().welcome(0)) {
      assertThatTheNextClientSendsTen(own, heir);
      assertThat(client.status().spoolError()).isEmpty();
      assertThat(client.status().framesLost()).isZero();
    }
  }

  private void assertThatTheNextClientSendsTen(
      ScriptedCollector.Peer own, ScriptedCollector.Peer heir) throws Exception {
    assertThat(own.hello().source()).isNotEqualTo(heir.hello().source());
    for (int i = 1; i <= 10; i++) {
      assertIsOffered(heir.read(), i);
      heir.acknowledge(i);
    }
    await().untilAsserted(() -> assertThat(files("")).isEmpty());
  }

  @Test
  void rejectedSpoolWaitsWithoutRetrying() throws Exception {
    client = CollectorClient.open(options().build());
    offerAll(10);
    client.close();

    collector.comeBack();
    client = CollectorClient.open(options().maxQueuedBytes(MIN_MEMORY).build());
    try (ScriptedCollector.Peer own = collector.accept().welcome(0);
        ScriptedCollector.Peer heir = collector.accept()) {
      assertThat(own.hello().source()).isNotEqualTo(heir.hello().source());
      heir.reject(false, "its run is another's");
      await().untilAsserted(() -> assertThat(client.status().spoolError()).contains("another's"));
      await()
          .during(Duration.ofMillis(500))
          .untilAsserted(
              () -> assertThat(spoolThreads()).hasSize(2).containsOnly(Thread.State.WAITING));
    }
  }

  @Test
  void minimumMemoryFitsTheLongestFrameInEitherHalf() throws Exception {
    client = CollectorClient.open(options().maxQueuedBytes(MIN_MEMORY).build());
    byte[] longest = new byte[Frame.MAX_PAYLOAD_BYTES];
    for (int i = 0; i < 4; i++) {
      client.send(FrameType.SAMPLES, longest, 20_000);
    }
    await().untilAsserted(() -> assertThat(client.status().spooledBytes()).isPositive());
    assertThat(client.status().framesDropped()).isZero();
  }

  @Test
  void dropsSpooledFramesThatTheCollectorHas() throws Exception {
    client = CollectorClient.open(options().build());
    offerAll(FRAMES);
    client.close();

    collector.comeBack();
    client = CollectorClient.open(options().build());
    try (ScriptedCollector.Peer own = collector.accept().welcome(0);
        ScriptedCollector.Peer heir = collector.accept().welcome(FRAMES + 20)) {
      assertThat(own.hello().source()).isNotEqualTo(heir.hello().source());
      await().untilAsserted(() -> assertThat(files("")).isEmpty());
    }
  }

  @Test
  void aSpoolThatBecomesUnreadableBeforeItIsSentOnIsGivenUpAndCounted() throws Exception {
    client = CollectorClient.open(options().build());
    offerAll(10);
    client.close();
    Path file = files(".spool").get(0);

    collector.comeBack();
    client = CollectorClient.open(options().build());
    await().untilAsserted(() -> assertThat(client.status().spooledBytes()).isPositive());
    flipAByteInTheMiddleOf(file);
    try (ScriptedCollector.Peer own = collector.accept().welcome(0);
        ScriptedCollector.Peer heir = collector.accept().welcome(0)) {
      assertThat(own.hello().source()).isNotEqualTo(heir.hello().source());
      List<Long> received = new ArrayList<>();
      assertThatThrownBy(
              () -> {
                while (true) {
                  received.add(heir.read().sequence());
                  heir.acknowledge(received.get(received.size() - 1));
                }
              })
          .isInstanceOf(IOException.class);
      assertThat(received).isEqualTo(upTo(received.size())).hasSizeLessThan(10);
      await()
          .untilAsserted(
              () -> assertThat(client.status().framesLost()).isEqualTo(10 - received.size()));
      assertThat(client.status().spoolError()).contains(file.toString());
      assertThat(files("")).isEmpty();
    }
  }

  @Test
  void filesOfALiveClientAreNotTakenOver() throws Exception {
    client = CollectorClient.open(options().build());
    offerAll(FRAMES);
    await().untilAsserted(() -> assertThat(files(".spool")).isNotEmpty());
    long spooled = client.status().spooledBytes();
    collector.comeBack();
    try (CollectorClient neighbour = CollectorClient.open(options().build())) {
      try (ScriptedCollector.Peer one = collector.accept().welcome(0);
          ScriptedCollector.Peer other = collector.accept().welcome(0)) {
        assertThat(one.hello().source()).isNotEqualTo(other.hello().source());
        assertThat(neighbour.status().spooledBytes()).isZero();
        assertThat(client.status().spooledBytes()).isEqualTo(spooled);
      }
    }
  }

  @Test
  void whatANeighbourLeavesIsSentOnByAClientThatLooksIntoTheFolderAgain() throws Exception {
    client = CollectorClient.open(options().build());
    offerAll(10);
    assertThat(client.status().framesUnsaved()).isEqualTo(10);
    collector.comeBack();
    try (CollectorClient neighbour = CollectorClient.open(options().build());
        ScriptedCollector.Peer one = collector.accept();
        ScriptedCollector.Peer other = collector.accept()) {
      collector.goAway();
      one.reject(true, "not now");
      other.reject(true, "not now");
      client.close();
      assertThat(client.status().framesUnsaved()).isZero();
      assertThat(client.status().spooledBytes()).isPositive();

      neighbour.scanSpool();
      await()
          .untilAsserted(
              () ->
                  assertThat(neighbour.status().spooledBytes())
                      .isEqualTo(client.status().spooledBytes()));
      collector.comeBack();
      try (ScriptedCollector.Peer own = collector.accept().welcome(0);
          ScriptedCollector.Peer heir = collector.accept().welcome(0)) {
        assertThatTheNextClientSendsTen(own, heir);
      }
    }
  }

  @Test
  void namesThatOneCollectorHasGoWithWhatAnotherOneGets() throws Exception {
    byte[] names = ByteBuffer.allocate(20).putInt(7).array();
    collector.comeBack();
    client = CollectorClient.open(options().build());
    try (ScriptedCollector.Peer peer = collector.accept().welcome(0)) {
      client.offer(FrameType.STAGES, names);
      client.offer(FrameType.SAMPLES, payload(2));
      assertThat(peer.read().type()).isEqualTo(FrameType.STAGES);
      assertIsOffered(peer.read(), 2);
      peer.acknowledge(2);
      assertThat(client.awaitAcknowledged(50_000)).isTrue();
      client.offer(FrameType.SAMPLES, payload(3));
      client.close();
    }
    assertThat(client.status().framesUnsaved()).isZero();

    // One after the other gets it, and the first of them dies over it.
    for (boolean dies : new boolean[] {true, false}) {
      client = CollectorClient.open(options().build());
      try (ScriptedCollector.Peer own = collector.accept().welcome(0);
          ScriptedCollector.Peer heir = collector.accept()) {
        assertThat(own.hello().source()).isNotEqualTo(heir.hello().source());
        assertThat(heir.hello().firstAvailableSequence()).isEqualTo(3);
        heir.welcome(0);
        Frame first = heir.read();
        assertThat(first.sequence()).isEqualTo(1);
        assertThat(first.payload()).isEqualTo(names);
        assertIsOffered(heir.read(), 3);
        if (dies) {
          heir.acknowledge(1);
        } else {
          heir.acknowledge(3);
          await().untilAsserted(() -> assertThat(files("")).isEmpty());
          assertThat(client.status().framesLost()).isZero();
        }
        client.close();
      }
    }
    assertThat(files("")).isEmpty();
  }

  @Test
  void namesThatTheCollectorHasAreNotSentAgain() throws Exception {
    collector.comeBack();
    client = CollectorClient.open(options().build());
    try (ScriptedCollector.Peer peer = collector.accept().welcome(0)) {
      client.offer(FrameType.STAGES, payload(1));
      assertIsOffered(peer.read(), 1);
      peer.acknowledge(1);
      assertThat(client.awaitAcknowledged(50_000)).isTrue();
      client.offer(FrameType.SAMPLES, payload(2));
      client.close();
    }
    client = CollectorClient.open(options().build());
    try (ScriptedCollector.Peer own = collector.accept().welcome(0);
        ScriptedCollector.Peer heir = collector.accept().welcome(1)) {
      assertThat(own.hello().source()).isNotEqualTo(heir.hello().source());
      assertIsOffered(heir.read(), 2);
    }
  }

  @Test
  void fileThatCouldNotBeCreatedGetsNoFrames() throws Exception {
    UUID source = UUID.randomUUID();
    Hello fine = Hello.builder(source, Hello.AGENT).build();
    Hello tooLong = Hello.builder(source, Hello.AGENT).sourceName("x".repeat(2_000)).build();
    Frame frame = new Frame(FrameType.SAMPLES.code(), 1, payload(1));
    try (FrameSpool spool = new FrameSpool(folder, source, PLENTY)) {
      assertThatThrownBy(() -> spool.append(frame, tooLong))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(files(".spool")).isEmpty();
      assertThat(spool.isEmpty()).isTrue();
      spool.append(frame, fine);
      assertIsOffered(spool.readAfter(0), 1);
    }
  }

  @Test
  void rejectsAnUnusableSpool() {
    assertThatThrownBy(() -> collector.options().spool(folder, 1000))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("4194304")
        .hasMessageContaining("1000");
    assertThatThrownBy(() -> collector.options().spool(null, PLENTY))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("folder");
    assertThatThrownBy(
            () -> collector.options().maxQueuedBytes(1_000_000).spool(folder, PLENTY).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1000000")
        .hasMessageContaining("memory");
  }

  private ClientOptions.Builder options() {
    return collector.options().maxQueuedBytes(MEMORY).spool(folder, PLENTY);
  }

  /** As fast as the disk allows. */
  private void offerAll(int frames) throws IOException {
    for (int i = 0; i < frames; i++) {
      client.send(FrameType.SAMPLES, payload(++offered), 20_000);
    }
  }

  private static byte[] payload(int number) {
    return ByteBuffer.allocate(PAYLOAD).putInt(number).putInt(PAYLOAD - 4, number).array();
  }

  private static void assertIsOffered(Frame frame, int number) {
    assertThat(frame.sequence()).isEqualTo(number);
    assertThat(frame.payload()).isEqualTo(payload(number));
  }

  private static List<Thread.State> spoolThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("fedometer-spool"))
        .map(Thread::getState)
        .toList();
  }

  private static List<Long> upTo(long last) {
    return LongStream.rangeClosed(1, last).boxed().toList();
  }

  private List<Path> files(String suffix) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(file -> file.toString().endsWith(suffix)).sorted().toList();
    }
  }

  private long sizeOfFiles() throws IOException {
    return files("").stream().mapToLong(file -> file.toFile().length()).sum();
  }

  private void deleteFolder() throws IOException {
    for (Path file : files("")) {
      Files.delete(file);
    }
    Files.delete(folder);
  }

  private static long firstSequenceOf(Path file) {
    String name = file.getFileName().toString();
    return Long.parseLong(name.substring(37, name.length() - ".spool".length()));
  }

  private static void flipAByteInTheMiddleOf(Path path) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.seek(file.length() / 2);
      int before = file.read();
      file.seek(file.length() / 2);
      file.write(before ^ 1);
    }
  }
}
