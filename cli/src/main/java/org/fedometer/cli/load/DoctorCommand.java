package org.fedometer.cli.load;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.fedometer.cli.dataset.ContentChoice;
import org.fedometer.cli.dataset.SkipInvalidOption;
import org.fedometer.cli.option.CompletionValues;
import org.fedometer.cli.option.FedoraLoginOptions;
import org.fedometer.cli.option.FedoraUrlConverter;
import org.fedometer.cli.option.StoreOption;
import org.fedometer.cli.profile.ProfileChoice;
import org.fedometer.cli.terminal.CtrlC;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.cli.terminal.PlainErrors;
import org.fedometer.cli.terminal.StandardOutput;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.PidForm;
import org.fedometer.datasets.catalogue.Datasets;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.experiments.check.Check;
import org.fedometer.experiments.check.Doctor;
import org.fedometer.experiments.check.LoadChecks;
import org.fedometer.experiments.check.MachineChecks;
import org.fedometer.experiments.check.MemoryCheck;
import org.fedometer.experiments.check.ProfileJavaCheck;
import org.fedometer.experiments.check.RepositoryView;
import org.fedometer.experiments.load.PlannedLoad;
import org.fedometer.experiments.stack.StackLogin;
import org.fedometer.profiles.Profile;
import org.fedometer.profiles.UnknownProfileException;
import org.fedometer.profiles.stack.FedoraSettings;
import org.fedometer.profiles.stack.Stack;
import org.fedometer.profiles.stack.StackRegistry;
import org.fedometer.wire.SafeLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "doctor",
    description = {
      "Check a machine, a profile or a Fedora before a load.",
      "Checks a running Fedora (--target), its configuration (--home), a profile"
          + " (--profile), or else this machine. Changes nothing unless --probe is given."
    },
    exitCodeListHeading = Headings.EXIT_CODES,
    exitCodeList = {"0:no problem", "1:a problem", "2:bad usage", "3:Fedora is not reachable"},
    footerHeading = Headings.EXAMPLES,
    footer = {
      "  fedometer doctor",
      "  fedometer doctor --home DIR --objects 14000000",
      "  fedometer doctor --profile mptstore-postgresql --objects 100000 --workers 16"
    },
    mixinStandardHelpOptions = true)
public final class DoctorCommand implements Callable<Integer> {
  @Option(
      names = "--target",
      paramLabel = "URL",
      converter = FedoraUrlConverter.class,
      description = "Address of a running Fedora to query.")
  private URI target;

  @Option(
      names = "--home",
      paramLabel = "DIR",
      description =
          "Home of a Fedora on this host (of a stack, or FEDORA_HOME); its configuration is"
              + " read (default: the home of the Fedora at --target, if found).")
  private Path home;

  @Mixin private FedoraLoginOptions login;
  @Mixin private ProfileChoice profile;

  @Option(
      names = "--dataset",
      paramLabel = "DATASET",
      completionCandidates = CompletionValues.DatasetNames.class,
      defaultValue = "patents",
      description = "Dataset to load (default: ${DEFAULT-VALUE}).")
  private String dataset;

  @Option(
      names = "--namespace",
      paramLabel = "NS",
      defaultValue = DatasetOptions.STANDARD_NAMESPACE,
      description = "Namespace of the PIDs (default: ${DEFAULT-VALUE}).")
  private String pidNamespace;

  @Option(
      names = "--max-literal",
      paramLabel = "BYTES",
      description = "As for 'ingest' (default: no limit; with --profile, that of its triplestore).")
  private Integer literalLimitBytes;

  @Option(
      names = "--probe",
      description =
          "Ingest one object as configured, read it back, and purge it: tests policies,"
              + " uploads, content server and triplestore.")
  private boolean probe;

  @Option(names = "--json", description = "Print a JSON object.")
  private boolean json;

  @Mixin private LoadOptions load;
  @Mixin private SkipInvalidOption skipInvalid;
  @Mixin private ContentChoice content;
  @Mixin private StoreOption store;

  @Override
  public Integer call() throws Exception {
    rejectIf(
        profile.isGiven() && (target != null || home != null),
        "--profile and --set describe a Fedora that does not exist yet; leave them out, or"
            + " leave out --target and --home");
    Optional<Stack> stack = home == null ? Optional.empty() : StackRegistry.ofUser().find(home);
    FedoraLogin fedora = fedora(stack);
    rejectIf(
        probe && fedora == null,
        "--probe needs a running Fedora; give --target URL, or --home DIR of a running stack");
    List<Check> checks = new ArrayList<>();
    if (profile.isGiven()) {
      checks.addAll(profileChecks());
    } else if (home != null || fedora != null) {
      checks.addAll(repositoryChecks(fedora));
    }
    if (target == null && home == null) {
      checks.addAll(MachineChecks.of(store.directory(), load.workers()));
    }
    print(checks, fedora);
    return checks.stream().anyMatch(check -> check.state() == Check.State.PROBLEM)
        ? ExitCode.DONE_WITH_ERRORS
        : ExitCode.DONE;
  }

  /** Returns null if no Fedora is to be checked. */
  private FedoraLogin fedora(Optional<Stack> stack) throws IOException {
    if (target != null) {
      return login.at(target);
    }
    if (stack.isPresent() && stack.get().fedoraPid().isPresent()) {
      return StackLogin.of(stack.get());
    }
    return null;
  }

  private List<Check> profileChecks() throws UnknownProfileException, InterruptedException {
    Profile chosen = profile.profile();
    DatasetOptions options =
        new DatasetOptions(
            pidNamespace,
            PidForm.named(chosen.text("fedora.pids")),
            literalLimitBytes == null ? chosen.literalLimitBytes() : literalLimitBytes);
    List<Check> checks =
        new ArrayList<>(
            LoadChecks.of(plannedLoad(options), RepositoryView.of(chosen, store.directory())));
    checks.add(ProfileJavaCheck.of(chosen));
    checks.add(MemoryCheck.of(chosen));
    return checks;
  }

  private List<Check> repositoryChecks(FedoraLogin fedora) throws IOException {
    DatasetOptions options =
        new DatasetOptions(
            pidNamespace,
            PidForm.NAMED,
            literalLimitBytes == null ? DatasetOptions.UNLIMITED : literalLimitBytes);
    PlannedLoad planned = plannedLoad(options);
    RepositoryView view = RepositoryView.none();
    Optional<Path> homeFolder =
        home != null ? Optional.of(home) : RepositoryView.homeOf(fedora.url());
    if (homeFolder.isPresent()) {
      view = view.withSettings(settings(homeFolder.get()), homeFolder.get().toString());
    }
    if (fedora == null) {
      return LoadChecks.of(planned, view);
    }
    Doctor doctor = new Doctor(fedora, planned, view);
    try (CtrlC ignored = CtrlC.register(doctor::interrupt)) {
      return doctor.examine(probe ? Optional.of(pidNamespace) : Optional.empty());
    }
  }

  /** Reads settings. A named home that is none is bad usage. */
  private FedoraSettings settings(Path folder) throws IOException {
    try {
      return FedoraSettings.in(folder);
    } catch (IOException e) {
      if (home == null) {
        throw e;
      }
      throw new IllegalArgumentException("--home: " + PlainErrors.message(e), e);
    }
  }

  private PlannedLoad plannedLoad(DatasetOptions options) {
    Dataset opened = Datasets.open(skipInvalid.addTo(dataset), options);
    return PlannedLoad.of(opened, load.plan(), content.options());
  }

  private static void rejectIf(boolean condition, String message) {
    if (condition) {
      throw new IllegalArgumentException(message);
    }
  }

  private void print(List<Check> checks, FedoraLogin fedora) throws IOException {
    if (json) {
      StandardOutput.asJson(document(checks, fedora));
      return;
    }
    int nameWidth = checks.stream().mapToInt(check -> check.name().length()).max().orElse(0);
    StringBuilder text = new StringBuilder();
    for (Check check : checks) {
      String margin = " ".repeat(9 + nameWidth + 2);
      text.append(
          String.format(
              Locale.ROOT,
              "%-9s%-" + nameWidth + "s  %s%n",
              check.state().id(),
              check.name(),
              SafeLine.of(check.found())));
      if (!check.advice().isEmpty()) {
        text.append(margin).append("-> ").append(SafeLine.of(check.advice())).append('\n');
      }
    }
    StandardOutput.text(text + "\n" + verdict(checks));
  }

  private static String verdict(List<Check> checks) {
    long problems = count(checks, Check.State.PROBLEM);
    long warnings = count(checks, Check.State.WARNING);
    long unknown = count(checks, Check.State.UNKNOWN);
    return problems + warnings + unknown == 0
        ? "no problems"
        : "%d problem%s, %d warning%s, %d unknown"
            .formatted(
                problems, problems == 1 ? "" : "s", warnings, warnings == 1 ? "" : "s", unknown);
  }

  private static long count(List<Check> checks, Check.State state) {
    return checks.stream().filter(check -> check.state() == state).count();
  }

  private ObjectNode document(List<Check> checks, FedoraLogin fedora) {
    ObjectNode document = new ObjectMapper().createObjectNode();
    document.put("target", fedora == null ? null : fedora.url().toString());
    document.put("home", home == null ? null : home.toString());
    document.put("problems", count(checks, Check.State.PROBLEM));
    document.put("warnings", count(checks, Check.State.WARNING));
    document.put("unknown", count(checks, Check.State.UNKNOWN));
    ArrayNode array = document.putArray("checks");
    for (Check check : checks) {
      array
          .addObject()
          .put("name", check.name())
          .put("state", check.state().id())
          .put("found", check.found())
          .put("advice", check.advice());
    }
    return document;
  }
}
