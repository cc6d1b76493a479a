package org.fedometer.cli;

import java.util.concurrent.Callable;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.cli.terminal.Headings;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "completion",
    description = "Print a completion script for bash or zsh.",
    footerHeading = Headings.EXAMPLES,
    footer = {
      "  source <(fedometer completion bash)      # in ~/.bashrc",
      "  source <(fedometer completion zsh)       # in ~/.zshrc, after compinit"
    },
    mixinStandardHelpOptions = true)
final class CompletionCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}.")
  private Shell shell;

  @Override
  public Integer call() {
    // In zsh the script itself loads bash's completion.
    System.out.print(AutoComplete.bash(spec.root().name(), spec.root().commandLine()));
    return ExitCode.DONE;
  }

  /** Constants as users write them. */
  enum Shell {
    bash,
    zsh
  }
}
