package org.fedometer.store.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.fedometer.store.RunFetch;
import org.fedometer.store.RunStore;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.Rows;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameInput;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.session.QueryRequest;
import org.fedometer.wire.session.QueryResult;
import org.fedometer.wire.session.Welcome;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests responses of a malicious collector. */
@Timeout(120)
class HostileCollectorTest {
  private static final String RUNS =
      "[{\"name\": \"night\", \"state\": \"done\", \"sizeBytes\": 1}]";

  @TempDir Path folder;
  private ServerSocket server;
  private ExecutorService threads;

  /** By request: {@code runs}, {@code files}, {@code file} or {@code query}. */
  private final Map<String, Content> answers = new ConcurrentHashMap<>();

  private RemoteStore store;

  private interface Content {
    InputStream open();
  }

  @BeforeEach
  void listen() throws IOException {
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    threads = Executors.newCachedThreadPool();
    threads.execute(this::accept);
    answers.put("runs", text(RUNS));
    answers.put("query", text("[[\"source\", \"VARCHAR\"]]\n"));
    store = RemoteStore.at(new InetSocketAddress("127.0.0.1", server.getLocalPort()), "");
  }

  @AfterEach
  void hangUp() throws IOException {
    server.close();
    threads.shutdownNow();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "5",
        "[null]",
        "[{}]",
        "[{\"name\": \"../../etc\", \"state\": \"done\"}]",
        "[{\"name\": \"night\"}]",
        "[{\"name\": {}, \"state\": \"done\"}]",
        "[{\"name\": \"night\", \"state\": \"done\", \"sizeBytes\": 1e400}]"
      })
  void aListOfRunsThatIsNoneIsRefusedInOneSentence(String list) {
    answers.put("runs", text(list));

    assertThatThrownBy(() -> store.summaries())
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("The collector at 127.0.0.1:")
        .satisfies(e -> assertThat(e.getMessage()).hasLineCount(1));
  }

  @Test
  void aListWithoutAnEndIsGivenUp() {
    answers.put("runs", Endless::new);

    assertThatThrownBy(() -> store.summaries())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("a list of more than 32 MiB");
  }

  @Test
  void aListThatIsNestedWithoutAnEndIsRefused() {
    answers.put("runs", text("[{\"x\":".repeat(100_000)));

    assertThatThrownBy(() -> store.summaries())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("does not answer with a list");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[null]",
        "[{}]",
        "[{\"path\": \"a\", \"sizeBytes\": -1}]",
        "[{\"path\": \"../../escaped\", \"sizeBytes\": 1}]",
        "[{\"path\": \"/escaped\", \"sizeBytes\": 1}]",
        "[{\"path\": \"a\", \"sizeBytes\": 9223372036854775807}]",
        "[{\"path\": \"a\", \"sizeBytes\": 9223372036854775807},"
            + " {\"path\": \"b\", \"sizeBytes\": 9223372036854775807}]",
        "[{\"path\": \"a\", \"sizeBytes\": 1}, {\"path\": \"a/b\", \"sizeBytes\": 1}]"
      })
  void aListOfFilesThatCannotBeIsRefusedAndLeavesNothingElsewhere(String files) throws Exception {
    answers.put("files", text(files));
    answers.put("file", text("x"));

    assertThatThrownBy(this::fetch).isInstanceOf(IOException.class);

    assertThat(folder.resolve("deep/store/runs/night")).doesNotExist();
    try (Stream<Path> all = Files.walk(folder)) {
      assertThat(all.filter(Files::isRegularFile))
          .allMatch(file -> file.startsWith(folder.resolve("deep/store/runs")));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tables/samples/1.parquet", "logs/fedora.log", "run.json"})
  void aFileWithoutAnEndIsGivenUpAndNothingOfItIsKept(String path) throws Exception {
    answers.put("files", text("[{\"path\": \"" + path + "\", \"sizeBytes\": 10}]"));
    answers.put("file", Endless::new);

    assertThatThrownBy(this::fetch)
        .isInstanceOf(IOException.class)
        .hasMessage(path + ", listed with 10 bytes, does not stop growing; fetch again");

    try (Stream<Path> all = Files.walk(folder)) {
      assertThat(all.filter(Files::isRegularFile)).isEmpty();
    }
  }

  @Test
  void aRowWithoutAnEndIsGivenUp() throws Exception {
    answers.put("query", Endless::new);

    try (Query query = store.query()) {
      assertThatThrownBy(() -> query.execute("SELECT 1"))
          .isInstanceOf(QueryException.class)
          .hasMessageContaining("a row of more than 64 MiB");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "[1, 2]",
        "{}",
        "5",
        "x",
        "[{\"double\": \"x\"}]",
        "[{\"bytes\": \"?\"}]",
        "[{\"else\": 1}]"
      })
  void aRowThatIsNoneIsRefused(String row) throws Exception {
    answers.put("query", text("[[\"n\", \"BIGINT\"]]\n" + row + "\n"));

    try (Query query = store.query();
        Rows rows = query.execute("SELECT 1")) {
      assertThatThrownBy(rows::next).isInstanceOf(QueryException.class);
    }
  }

  @Test
  void reportsATextInPlaceOfANumber() throws Exception {
    answers.put("query", text("[[\"n\", \"BIGINT\"]]\n[\"many\"]\n"));

    try (Query query = store.query();
        Rows rows = query.execute("SELECT 1")) {
      rows.next();
      assertThatThrownBy(() -> rows.integer(0))
          .isInstanceOf(QueryException.class)
          .hasMessage("The result has \"many\" in place of a number");
    }
  }

  private void fetch() throws Exception {
    RemoteRun run = store.run("night");
    new RunFetch(run, run.summary(), RunStore.at(folder.resolve("deep/store"))).copy();
  }

  private static Content text(String text) {
    return () -> new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  private static final class Endless extends InputStream {
    @Override
    public int read() {
      return 'x';
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      Arrays.fill(target, offset, offset + length, (byte) 'x');
      return length;
    }
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        threads.execute(() -> serve(socket));
      } catch (IOException e) {
        return; // The test is over.
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      FrameInput in = new FrameInput(socket.getInputStream(), Frame.MAX_BYTES);
      OutputStream out = socket.getOutputStream();
      in.read();
      out.write(
          Frame.session(FrameType.WELCOME, new Welcome(1, 0, "/store", "host", "", "").encode())
              .toBytes());
      while (true) {
        QueryRequest request = QueryRequest.decode(ByteBuffer.wrap(in.read().payload()));
        String kind = RemoteStore.JSON.readTree(request.query()).path("request").asText();
        boolean rest = RemoteStore.JSON.readTree(request.query()).path("offset").asLong() > 0;
        InputStream content = answers.get(kind).open();
        if (rest && !(content instanceof Endless)) {
          content = InputStream.nullInputStream();
        }
        send(out, request, content);
      }
    } catch (IOException e) {
      // The client has disconnected.
    }
  }

  private static void send(OutputStream out, QueryRequest request, InputStream content)
      throws IOException {
    byte[] piece = new byte[QueryResult.MAX_CONTENT_BYTES];
    int count = content.read(piece);
    while (count > 0) {
      byte[] exact = Arrays.copyOf(piece, count);
      out.write(
          Frame.session(
                  FrameType.QUERY_RESULT,
                  new QueryResult(request.id(), QueryResult.State.MORE, exact).encode())
              .toBytes());
      count = content.read(piece);
    }
    out.write(
        Frame.session(
                FrameType.QUERY_RESULT,
                new QueryResult(request.id(), QueryResult.State.LAST, new byte[0]).encode())
            .toBytes());
  }
}
