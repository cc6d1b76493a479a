package org.fedometer.aspects;

@StageGroup("Authorization")
public final class SecurityStages {

  private SecurityStages() {}

  @Described(value = "the decision about an ingest", calls = "1", knob = "`fedora.xacml`")
  public static aspect IngestAuthorization extends TimedStage {
    IngestAuthorization() {
      super("ingest.authorization");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.security.DefaultAuthorization
            || fedora.server.security.DefaultAuthorization).enforceIngest(..));
  }

  @Described(value = "the decision about anything else", knob = "`fedora.xacml`")
  public static aspect Authorization extends TimedStage {
    Authorization() {
      super("authorization");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.security.DefaultAuthorization
            || fedora.server.security.DefaultAuthorization).enforce*(..))
        && !execution(* *.enforceIngest(..));
  }

  @Described(
      value = "policy enforcement point: attributes collected, policies asked; next to nothing while XACML is off",
      versions = "all; to 3.5 `S.security.PolicyEnforcementPoint`", calls = "1", knob = "`fedora.xacml`")
  public static aspect Enforce extends TimedStage {
    Enforce() {
      super("authorization.enforce");
    }

    protected pointcut timed():
        execution(* org.fcrepo.server.security.impl.DefaultPolicyEnforcementPoint.enforce(..))
        || execution(* (org.fcrepo.server.security.PolicyEnforcementPoint
            || fedora.server.security.PolicyEnforcementPoint).enforce(..));
  }

  @Described(
      value = "policy decision point; its self time is weighing the policies; reads the object, and those above it, "
          + "for their attributes",
      calls = "0; with XACML 1", knob = "fewer policies, fewer attributes in them")
  public static aspect Evaluate extends TimedStage {
    Evaluate() {
      super("authorization.evaluate");
    }

    protected pointcut timed():
        (call(* org.jboss.security.xacml.sunxacml.PDP.evaluate(..)) || call(* com.sun.xacml.PDP.evaluate(..)))
        && (within(org.fcrepo.server.security.impl.DefaultPolicyEnforcementPoint)
        || within(org.fcrepo.server.security.PolicyEnforcementPoint
            || fedora.server.security.PolicyEnforcementPoint));
  }

  @Described(
      value = "finding the policies that apply: the repository's, and the POLICY datastreams of objects, which are "
          + "read and parsed here", calls = "0; with XACML 1", knob = "fewer policies")
  public static aspect Policies extends TimedStage {
    Policies() {
      super("authorization.policies");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.security.PolicyFinderModule
            || fedora.server.security.PolicyFinderModule).findPolicy(..));
  }

  @Described(value = "FeSL's decision", versions = "all, where installed; to 3.3 `melcoe.fedora.pep`")
  public static aspect Fesl extends TimedStage {
    Fesl() {
      super("authorization.fesl");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.security.xacml.pep.ContextHandlerImpl
            || melcoe.fedora.pep.ContextHandlerImpl).evaluate*(..));
  }
}
