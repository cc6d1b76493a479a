package org.fedometer.agent.core.weave;

import java.util.Collections;
import java.util.List;
import org.aspectj.bridge.IMessage;
import org.aspectj.bridge.IMessageHandler;
import org.aspectj.bridge.context.CompilationAndWeavingContext;
import org.aspectj.weaver.loadtime.ClassLoaderWeavingAdaptor;
import org.aspectj.weaver.loadtime.DefaultWeavingContext;
import org.aspectj.weaver.loadtime.definition.Definition;
import org.aspectj.weaver.tools.WeavingAdaptor;

/**
 * AspectJ's weaver for the classes of one class loader. Holds the loader weakly, prints nothing,
 * and tells the report of its troubles.
 */
final class LoaderWeaver extends ClassLoaderWeavingAdaptor {

  private final WeavingReport report;

  LoaderWeaver(ClassLoader loader, WeavingPlan plan, WeavingReport report) {
    this.report = report;
    initialize(loader, new PlannedContext(loader, plan.definition()));
  }

  /** The class with our stages in it, or the same bytes when there is nothing to weave. */
  synchronized byte[] weave(String internalName, byte[] bytecode) throws Exception {
    try {
      // Left by an earlier weaving of this class; stale when it is transformed again.
      flushGeneratedClassesFor(internalName);
      return weaveClass(internalName, bytecode, false);
    } finally {
      CompilationAndWeavingContext.resetForThread();
    }
  }

  @Override
  protected void createMessageHandler() {
    super.createMessageHandler();
    setMessageHandler(new ReportingHandler(report));
  }

  private static final class PlannedContext extends DefaultWeavingContext {
    private final Definition definition;

    PlannedContext(ClassLoader loader, Definition definition) {
      super(loader);
      this.definition = definition;
    }

    @Override
    public List<Definition> getDefinitions(ClassLoader loader, WeavingAdaptor adaptor) {
      return Collections.singletonList(definition);
    }
  }

  private static final class ReportingHandler implements IMessageHandler {
    private final WeavingReport report;

    ReportingHandler(WeavingReport report) {
      this.report = report;
    }

    @Override
    public boolean handleMessage(IMessage message) {
      if (IMessage.WARNING.isSameOrLessThan(message.getKind())) {
        report.complaint(message.toString());
      }
      return true;
    }

    @Override
    public boolean isIgnoring(IMessage.Kind kind) {
      return !IMessage.WARNING.isSameOrLessThan(kind);
    }

    @Override
    public void dontIgnore(IMessage.Kind kind) {
      // Always the same set.
    }

    @Override
    public void ignore(IMessage.Kind kind) {
      // Always the same set.
    }
  }
}
