package org.fedometer.aspects;

/** Who may do what. */
@StageGroup("Who may do it")
public final class SecurityStages {

  private SecurityStages() {}

  /** Fedora's policy decision about an ingest. */
  public static aspect IngestAuthorization extends TimedStage {
    IngestAuthorization() {
      super("ingest.authorization");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.security.DefaultAuthorization
            || fedora.server.security.DefaultAuthorization).enforceIngest(..));
  }

  /** Its decision about anything else. */
  public static aspect Authorization extends TimedStage {
    Authorization() {
      super("authorization");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.security.DefaultAuthorization
            || fedora.server.security.DefaultAuthorization).enforce*(..))
        && !execution(* *.enforceIngest(..));
  }

  /** Policy enforcement point: attributes collected, policies asked. Next to nothing while XACML is off. */
  public static aspect Enforce extends TimedStage {
    Enforce() {
      super("authorization.enforce");
    }

    protected pointcut timed():
        execution(* org.fcrepo.server.security.impl.DefaultPolicyEnforcementPoint.enforce(..))
        || execution(* (org.fcrepo.server.security.PolicyEnforcementPoint
            || fedora.server.security.PolicyEnforcementPoint).enforce(..));
  }

  /** Policy decision point: the policies themselves, which are loaded here, too. */
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

  /** The decisions of FeSL, where it is installed. */
  public static aspect Fesl extends TimedStage {
    Fesl() {
      super("authorization.fesl");
    }

    protected pointcut timed():
        execution(* (org.fcrepo.server.security.xacml.pep.ContextHandlerImpl
            || melcoe.fedora.pep.ContextHandlerImpl).evaluate*(..));
  }
}
