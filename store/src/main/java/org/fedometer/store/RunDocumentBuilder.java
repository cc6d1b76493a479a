package org.fedometer.store;

import java.util.List;
import java.util.Map;
import org.fedometer.store.RunDocument.Dataset;
import org.fedometer.store.RunDocument.Experiment;
import org.fedometer.store.RunDocument.Failure;
import org.fedometer.store.RunDocument.Imported;
import org.fedometer.store.RunDocument.Load;
import org.fedometer.store.RunDocument.ObjectCounts;
import org.fedometer.store.RunDocument.Outage;
import org.fedometer.store.RunDocument.Phase;
import org.fedometer.store.RunDocument.Profile;
import org.fedometer.store.RunDocument.RequestCounts;
import org.fedometer.store.RunDocument.StatementCounts;
import org.fedometer.store.RunDocument.TripleCounts;
import org.fedometer.store.RunDocument.Verification;

/** Builds a {@link RunDocument}, which describes the components. Not thread-safe. */
public final class RunDocumentBuilder {
  private int schema = RunDocument.SCHEMA;
  private String id;
  private String name;
  private String state;
  private Failure failure;
  private Profile profile;
  private Dataset dataset;
  private int workers;
  private Double ratePerSecond;
  private Map<String, String> workload = Map.of();
  private ObjectCounts objects;
  private StatementCounts statements;
  private TripleCounts triples;
  private RequestCounts requests;
  private Verification verification;
  private List<Phase> phases = List.of();
  private List<Outage> outages = List.of();
  private Load load;
  private Map<String, String> versions = Map.of();
  private Map<String, String> environment = Map.of();
  private List<String> configurationFiles = List.of();
  private List<String> logFiles = List.of();
  private String bootId;
  private String started;
  private String ended;
  private List<String> notes = List.of();
  private Experiment experiment;
  private Imported imported;

  RunDocumentBuilder(String name, String state) {
    this.name = name;
    this.state = state;
  }

  RunDocumentBuilder(RunDocument document) {
    schema = document.schema();
    id = document.id();
    name = document.name();
    state = document.state();
    failure = document.failure();
    profile = document.profile();
    dataset = document.dataset();
    workers = document.workers();
    ratePerSecond = document.ratePerSecond();
    workload = document.workload();
    objects = document.objects();
    statements = document.statements();
    triples = document.triples();
    requests = document.requests();
    verification = document.verification();
    phases = document.phases();
    outages = document.outages();
    load = document.load();
    versions = document.versions();
    environment = document.environment();
    configurationFiles = document.configurationFiles();
    logFiles = document.logFiles();
    bootId = document.bootId();
    started = document.started();
    ended = document.ended();
    notes = document.notes();
    experiment = document.experiment();
    imported = document.imported();
  }

  public RunDocumentBuilder id(String id) {
    this.id = id;
    return this;
  }

  public RunDocumentBuilder name(String name) {
    this.name = name;
    return this;
  }

  public RunDocumentBuilder state(String state) {
    this.state = state;
    return this;
  }

  public RunDocumentBuilder failure(Failure failure) {
    this.failure = failure;
    return this;
  }

  public RunDocumentBuilder profile(Profile profile) {
    this.profile = profile;
    return this;
  }

  public RunDocumentBuilder dataset(Dataset dataset) {
    this.dataset = dataset;
    return this;
  }

  public RunDocumentBuilder workers(int workers) {
    this.workers = workers;
    return this;
  }

  public RunDocumentBuilder ratePerSecond(Double ratePerSecond) {
    this.ratePerSecond = ratePerSecond;
    return this;
  }

  public RunDocumentBuilder workload(Map<String, String> workload) {
    this.workload = workload;
    return this;
  }

  public RunDocumentBuilder objects(ObjectCounts objects) {
    this.objects = objects;
    return this;
  }

  public RunDocumentBuilder statements(StatementCounts statements) {
    this.statements = statements;
    return this;
  }

  public RunDocumentBuilder triples(TripleCounts triples) {
    this.triples = triples;
    return this;
  }

  public RunDocumentBuilder requests(RequestCounts requests) {
    this.requests = requests;
    return this;
  }

  public RunDocumentBuilder verification(Verification verification) {
    this.verification = verification;
    return this;
  }

  public RunDocumentBuilder phases(List<Phase> phases) {
    this.phases = phases;
    return this;
  }

  public RunDocumentBuilder outages(List<Outage> outages) {
    this.outages = outages;
    return this;
  }

  public RunDocumentBuilder load(Load load) {
    this.load = load;
    return this;
  }

  public RunDocumentBuilder versions(Map<String, String> versions) {
    this.versions = versions;
    return this;
  }

  public RunDocumentBuilder environment(Map<String, String> environment) {
    this.environment = environment;
    return this;
  }

  public RunDocumentBuilder configurationFiles(List<String> configurationFiles) {
    this.configurationFiles = configurationFiles;
    return this;
  }

  public RunDocumentBuilder logFiles(List<String> logFiles) {
    this.logFiles = logFiles;
    return this;
  }

  public RunDocumentBuilder bootId(String bootId) {
    this.bootId = bootId;
    return this;
  }

  public RunDocumentBuilder started(String started) {
    this.started = started;
    return this;
  }

  public RunDocumentBuilder ended(String ended) {
    this.ended = ended;
    return this;
  }

  public RunDocumentBuilder notes(List<String> notes) {
    this.notes = notes;
    return this;
  }

  public RunDocumentBuilder experiment(Experiment experiment) {
    this.experiment = experiment;
    return this;
  }

  public RunDocumentBuilder imported(Imported imported) {
    this.imported = imported;
    return this;
  }

  public RunDocument build() {
    return new RunDocument(
        schema,
        id,
        name,
        state,
        failure,
        profile,
        dataset,
        workers,
        ratePerSecond,
        workload,
        objects,
        statements,
        triples,
        requests,
        verification,
        phases,
        outages,
        load,
        versions,
        environment,
        configurationFiles,
        logFiles,
        bootId,
        started,
        ended,
        notes,
        experiment,
        imported);
  }
}
