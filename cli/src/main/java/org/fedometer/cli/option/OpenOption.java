package org.fedometer.cli.option;

import org.fedometer.cli.terminal.ConsoleProgress;
import picocli.CommandLine.Option;

/** Whether a run's page is opened in a browser while it goes on. */
public final class OpenOption {
  @Option(names = "--open", description = "Open the live page of the run in a browser.")
  private boolean open;

  /** Shows the run on this process's terminal, and its page where that is wanted. */
  public ConsoleProgress progress() {
    return ConsoleProgress.forTerminal(open);
  }
}
