package org.fedometer.cli.terminal;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.fedometer.experiments.threads.DaemonThreads;

/**
 * Opens a page with the system's command for browsers, or that of the variable {@code BROWSER}. If
 * none works, prints a sentence; the command continues, since the address was printed.
 */
final class SystemBrowser {
  /** Openers exit; one that stays is the browser itself. */
  private static final long FAILURE_TIMEOUT_SECONDS = 2;

  private SystemBrowser() {}

  /** As {@link #open}, without blocking a job. */
  static void openInBackground(URI page, Consumer<String> reporter) {
    DaemonThreads.newThread("fedometer-browser", () -> open(page, reporter)).start();
  }

  /** Returns once a browser is open, or {@code reporter} has the failure. */
  static void open(URI page, Consumer<String> reporter) {
    List<String> tried = new ArrayList<>();
    for (List<String> command : commands(System.getenv(), System.getProperty("os.name"))) {
      List<String> arguments = new ArrayList<>(command);
      arguments.add(page.toString());
      if (launches(arguments)) {
        return;
      }
      tried.add(command.get(0));
    }
    reporter.accept(
        "fedometer: no browser could be opened (tried: "
            + String.join(", ", tried)
            + "); open the address above in one, or name one in the variable BROWSER");
  }

  /** Returns candidate commands, the most likely first. */
  static List<List<String>> commands(Map<String, String> environment, String system) {
    List<List<String>> commands = new ArrayList<>();
    String chosen = environment.get("BROWSER");
    if (chosen != null && !chosen.isBlank()) {
      commands.add(List.of(chosen.strip()));
    }
    String os = system.toLowerCase(Locale.ROOT);
    if (os.startsWith("mac")) {
      commands.add(List.of("open"));
    } else if (os.startsWith("windows")) {
      commands.add(List.of("rundll32", "url.dll,FileProtocolHandler"));
    } else {
      commands.add(List.of("xdg-open"));
      commands.add(List.of("gio", "open"));
    }
    return commands;
  }

  private static boolean launches(List<String> command) {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      return !process.waitFor(FAILURE_TIMEOUT_SECONDS, TimeUnit.SECONDS)
          || process.exitValue() == 0;
    } catch (IOException e) {
      return false; // No such command.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }
}
