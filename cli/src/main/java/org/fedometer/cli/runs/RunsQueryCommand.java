package org.fedometer.cli.runs;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.concurrent.Callable;
import org.fedometer.cli.option.StoreChoice;
import org.fedometer.cli.terminal.CtrlC;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.cli.terminal.StandardStreams;
import org.fedometer.cli.terminal.Terminal;
import org.fedometer.store.StoreView;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.Rows;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "query",
    description = {
      "Run a SQL query (DuckDB) over one run or all runs.",
      "Over all runs, the first column is 'run'. Without SQL, lists tables and columns."
    },
    footerHeading = Headings.EXAMPLES,
    footer = {
      "  fedometer runs query",
      "  fedometer runs query \"SELECT stage, count(*) FROM samples GROUP BY 1\""
    },
    mixinStandardHelpOptions = true)
public final class RunsQueryCommand implements Callable<Integer> {
  private static final String TABLES =
      "SELECT table_name AS \"table\", column_name AS \"column\", data_type AS type"
          + " FROM duckdb_columns() WHERE NOT internal ORDER BY table_name, column_index";
  private static final int BUFFER_BYTES = 64 * 1024;
  private static final long CANCEL_PAUSE_MILLIS = 50;

  @Parameters(
      arity = "0..1",
      paramLabel = "SQL",
      description = "SQL statement; '-' reads it from standard input.")
  private String sql;

  @Option(
      names = "--run",
      paramLabel = "RUN",
      description = "Run to query: a name, or the path of a folder (default: all runs).")
  private String run;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "table",
      description =
          "Output format: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}). A table"
              + " shows the first rows only.")
  private RowsFormat format;

  @Option(names = "--json", description = "Same as --format json.")
  private boolean json;

  @Mixin private StoreChoice store;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    String statement = statement();
    RowsFormat rowsFormat = json ? RowsFormat.JSON : format;
    Charset charset =
        rowsFormat == RowsFormat.TABLE ? Terminal.outputCharset() : StandardCharsets.UTF_8;
    StoreView view = store.view();
    if (run == null && !store.isRemote() && !Files.exists(store.local().directory())) {
      spec.commandLine()
          .getErr()
          .println("no run yet in " + view.location() + "; " + view.missingRunHint());
    }
    Cancellation cancellation = new Cancellation();
    // Released only once the query and its spill files are closed.
    try (CtrlC ignored = CtrlC.register(cancellation::cancel)) {
      try (Query query = run == null ? view.query() : view.run(run).query()) {
        cancellation.query = query;
        print(query, statement, rowsFormat, charset);
      } finally {
        cancellation.finished = true;
      }
    } catch (QueryException e) {
      if (!cancellation.requested) {
        throw e;
      }
      return ExitCode.INTERRUPTED;
    }
    return ExitCode.DONE;
  }

  private static void print(Query query, String statement, RowsFormat format, Charset charset)
      throws QueryException, IOException {
    PrintStream out =
        new PrintStream(
            new BufferedOutputStream(
                format == RowsFormat.TABLE ? StandardStreams.text(charset) : StandardStreams.data(),
                BUFFER_BYTES),
            false,
            charset);
    try (Rows rows = query.execute(statement)) {
      format.print(rows, out);
    } finally {
      out.flush();
    }
  }

  private String statement() throws IOException {
    if (sql == null) {
      return TABLES;
    }
    return sql.equals("-") ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8) : sql;
  }

  /** Cancels the statement on Ctrl-C, so that regular cleanup follows. */
  private static final class Cancellation {
    private volatile Query query;
    private volatile boolean requested;
    private volatile boolean finished;

    /** Cancels repeatedly. On the JVM's shutdown thread. */
    void cancel() {
      requested = true;
      while (!finished) {
        if (query != null) {
          query.cancel();
        }
        try {
          Thread.sleep(CANCEL_PAUSE_MILLIS);
        } catch (InterruptedException e) {
          return;
        }
      }
    }
  }
}
