package org.fedometer.cli.repository;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.fedometer.cli.option.FedoraLoginOptions;
import org.fedometer.cli.option.FedoraUrlConverter;
import org.fedometer.cli.option.StoreOption;
import org.fedometer.cli.terminal.ConsoleProgress;
import org.fedometer.cli.terminal.CtrlC;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.cli.terminal.PlainErrors;
import org.fedometer.cli.terminal.StandardOutput;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraClientOptions;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.driver.fedora.FedoraRefusalException;
import org.fedometer.driver.verify.Problem;
import org.fedometer.driver.verify.RepositoryCheck;
import org.fedometer.experiments.host.ThisHost;
import org.fedometer.experiments.job.Step;
import org.fedometer.experiments.load.VerifyChoice;
import org.fedometer.experiments.measure.VerifyProgress;
import org.fedometer.experiments.record.RecordedRun;
import org.fedometer.experiments.stack.StackLogin;
import org.fedometer.profiles.stack.HomeFindings;
import org.fedometer.profiles.stack.HomeScan;
import org.fedometer.profiles.stack.Stack;
import org.fedometer.profiles.stack.program.ProvisioningListener;
import org.fedometer.repair.Finding;
import org.fedometer.wire.SafeLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "verify",
    description = {
      "Compare what a Fedora holds with what a run loaded.",
      "Compares counts, triples, and a sample of the objects or all of them; finds orphans."
          + " Changes nothing."
    },
    exitCodeListHeading = Headings.EXIT_CODES,
    exitCodeList = {
      "0:no problem",
      "1:problems",
      "2:bad usage, or nothing to compare",
      "3:Fedora is not reachable",
      "130:interrupted"
    },
    footerHeading = Headings.EXAMPLES,
    footer = {
      "  fedometer verify big",
      "  fedometer verify big --all --output-pids bad-pids.txt",
      "  fedometer verify big --target http://HOST:8080/fedora --password-file FILE"
    },
    mixinStandardHelpOptions = true)
public final class VerifyCommand implements Callable<Integer> {

  @Parameters(paramLabel = "RUN", description = "Name of a run, or the path of its folder.")
  private String run;

  @Option(
      names = "--sample-size",
      paramLabel = "N",
      description =
          "Number of objects to compare in full (default: " + VerifyChoice.STANDARD_SAMPLE + ").")
  private Integer sample;

  @Option(names = "--all", description = "Compare all objects, and find orphans.")
  private boolean everything;

  @Option(
      names = "--orphans",
      description = "Find orphans: reads all triples and all results of the field search.")
  private boolean orphans;

  @Option(
      names = "--seed",
      paramLabel = "SEED",
      defaultValue = "1",
      description = "Seed of the sample (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--workers",
      paramLabel = "N",
      defaultValue = "2",
      description = "Number of objects to compare concurrently (default: ${DEFAULT-VALUE}).")
  private int threads;

  @Option(
      names = "--output-pids",
      paramLabel = "FILE",
      description = "File to write the PIDs of objects with problems to, one a line.")
  private Path problems;

  @Option(
      names = "--target",
      paramLabel = "URL",
      converter = FedoraUrlConverter.class,
      description = "Fedora's address (default: that of the run, or of its running stack).")
  private URI target;

  @Option(
      names = "--home",
      paramLabel = "DIR",
      description =
          "Home of the stack. If the stack is down, its files, tables and triples are"
              + " compared as by 'stack repair --dry-run'.")
  private Path home;

  @Option(names = "--json", description = "Print a JSON object.")
  private boolean json;

  @Mixin private FedoraLoginOptions login;
  @Mixin private StoreOption store;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    if (target != null && home != null) {
      throw new IllegalArgumentException("give either --target or --home, not both");
    }
    if (everything && sample != null) {
      throw new IllegalArgumentException("give either --sample-size or --all, not both");
    }
    options(true); // rejects invalid options before anything is opened
    RecordedRun recorded = RecordedRun.of(store.existing().run(run));
    if (home == null) {
      return check(recorded, loginFor(recorded));
    }
    Stack stack = HomeStack.in(home);
    return stack.fedoraPid().isPresent() ? check(recorded, loginOf(stack)) : scan(recorded, stack);
  }

  private RepositoryCheck.Options options(boolean triples) {
    return new RepositoryCheck.Options(
        sample == null ? VerifyChoice.STANDARD_SAMPLE : sample,
        everything,
        orphans,
        seed,
        threads,
        triples);
  }

  // ---- Fedora's address ----

  private FedoraLogin loginFor(RecordedRun recorded) throws IOException {
    if (target != null) {
      return login.at(target);
    }
    Optional<Stack> stack = recorded.fedora();
    if (stack.isPresent() && !login.isPasswordGiven()) {
      return loginOf(stack.get());
    }
    String url =
        stack
            .map(running -> running.url().toString())
            .or(() -> recorded.url().map(this::requireThisHost))
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "the Fedora of "
                            + recorded.document().name()
                            + " is not running; start it with 'fedometer stack up --home DIR' if"
                            + " 'run --keep-home' kept it, or give --home DIR or --target URL"));
    if (stack.isEmpty() && !login.isPasswordGiven()) {
      throw new IllegalArgumentException(
          "no running stack is at "
              + url
              + ", where "
              + recorded.document().name()
              + " was loaded: start it with 'fedometer stack up --home DIR', or give its new"
              + " place with --home DIR or --target URL; a Fedora outside a stack needs"
              + " --password-file FILE or the variable "
              + FedoraLoginOptions.VARIABLE);
    }
    return new FedoraLogin(URI.create(url), login.user(), login.password(), login.ca());
  }

  /**
   * Requires this host: a run's folder may be foreign, so the password is not sent to a host that
   * only it names.
   */
  private String requireThisHost(String url) {
    if (!ThisHost.isNamedBy(URI.create(url))) {
      throw new IllegalArgumentException(
          "the run names the Fedora at "
              + url
              + ", which is not this host: confirm with --target "
              + url
              + " that the password may be sent there");
    }
    return url;
  }

  private FedoraLogin loginOf(Stack stack) throws IOException {
    return login.isPasswordGiven()
        ? new FedoraLogin(stack.url(), stack.user(), login.password())
        : StackLogin.of(stack);
  }

  // ---- running Fedora ----

  private int check(RecordedRun recorded, FedoraLogin fedora) throws IOException {
    ConsoleProgress progress = ConsoleProgress.forTerminal(false);
    try (FedoraClient client =
            FedoraClient.open(fedora, FedoraClientOptions.forWorkers(threads + 1));
        ProblemList problemList = ProblemList.writingTo(problems)) {
      RepositoryCheck check =
          new RepositoryCheck(
              client,
              recorded.claim(),
              recorded.delivery(),
              options(recorded.triples()),
              new ProgressListener(problemList, progress, new VerifyProgress.Meter()));
      progress.started(Step.VERIFY);
      // Everything is printed before Ctrl-C may end the process.
      try (CtrlC ignored = CtrlC.register(check::stop)) {
        RepositoryCheck.Result result = run(check, fedora, progress);
        problemList.flush();
        VerifyReport report = report(recorded, problemList);
        report.place("fedora", fedora.url().toString());
        report.result(result);
        print(report);
        if (!result.complete()) {
          return ExitCode.INTERRUPTED;
        }
        return result.problems() == 0 ? ExitCode.DONE : ExitCode.DONE_WITH_ERRORS;
      }
    }
  }

  private static RepositoryCheck.Result run(
      RepositoryCheck check, FedoraLogin fedora, ConsoleProgress progress) throws IOException {
    try {
      return check.run();
    } catch (FedoraRefusalException e) {
      throw new IOException(fedora.url() + " could not be queried: " + e.getMessage(), e);
    } finally {
      progress.endLine();
    }
  }

  private record ProgressListener(
      ProblemList problemList, ConsoleProgress progress, VerifyProgress.Meter meter)
      implements RepositoryCheck.Listener {
    @Override
    public void onProblem(Problem problem) {
      problemList.add(new ProblemList.Entry(problem.kind().id(), problem.pid(), problem.text()));
    }

    @Override
    public void onProgress(String what, long done, long all) {
      VerifyProgress now = meter.at(what, done, all);
      String problemCount =
          problemList.size() == 0
              ? ""
              : String.format(Locale.ROOT, ", problems: %,d", problemList.size());
      String line = now.line() + problemCount;
      progress.progress(Step.VERIFY, now.fraction(), line, List.of(line));
    }
  }

  private VerifyReport report(RecordedRun recorded, ProblemList problemList) {
    VerifyReport report = new VerifyReport(recorded.document().name(), problemList, problems);
    report.notes(recorded.notes());
    return report;
  }

  private void print(VerifyReport report) throws IOException {
    if (json) {
      StandardOutput.json(report.json());
    } else {
      StandardOutput.text(report.text());
    }
  }

  // ---- stopped Fedora ----

  /** Finds problems of objects in the run's namespaces, and of data without an object. */
  private int scan(RecordedRun recorded, Stack stack) throws Exception {
    Set<String> namespaces = recorded.claim().dataset().pidNamespaces();
    HomeFindings findings;
    try (CtrlC ignored = CtrlC.register(() -> stop(stack))) {
      findings = HomeScan.of(stack).check(ProvisioningListener.SILENT, this::progress);
    }
    try (ProblemList problemList = ProblemList.writingTo(problems)) {
      long others = 0;
      for (Finding finding : findings.findings()) {
        String pid = finding.pid();
        if (pid.isEmpty() || namespaces.contains(pid.substring(0, Math.max(0, pid.indexOf(':'))))) {
          problemList.add(
              new ProblemList.Entry(
                  finding.inconsistency().id(),
                  pid,
                  pid.isEmpty() ? finding.text() : pid + ": " + finding.text()));
        } else {
          others++;
        }
      }
      VerifyReport report = report(recorded, problemList);
      report.place("home", stack.home().toString());
      report.notes(findings.notes());
      report.notes(
          List.of(
              "Fedora is down: files, tables and triples were compared with each other, not"
                  + " with the dataset. An object that left no trace is not reported."));
      if (others > 0) {
        report.notes(List.of("Problems with objects of other namespaces: " + others + "."));
      }
      print(report);
      return problemList.size() == 0 ? ExitCode.DONE : ExitCode.DONE_WITH_ERRORS;
    }
  }

  private void progress(String text) {
    spec.commandLine().getErr().println("verify     " + SafeLine.of(text));
  }

  private void stop(Stack stack) {
    try {
      stack.stop();
    } catch (IOException e) {
      spec.commandLine().getErr().println("fedometer: " + PlainErrors.message(e));
    }
  }
}
