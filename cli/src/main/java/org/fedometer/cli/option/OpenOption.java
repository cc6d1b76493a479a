package org.fedometer.cli.option;

import org.fedometer.cli.terminal.ConsoleProgress;
import picocli.CommandLine.Option;

/** Option to open the active run's page in a browser. */
public final class OpenOption {
  @Option(names = "--open", description = "Open the live page of the run in a browser.")
  private boolean open;

  /** Returns progress on this process's terminal, which opens the page if requested. */
  public ConsoleProgress progress() {
    return ConsoleProgress.forTerminal(open);
  }
}
