package org.fedometer.agent.core.weave;

import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.aspectj.bridge.IMessage;
import org.aspectj.bridge.IMessageHandler;
import org.aspectj.bridge.context.CompilationAndWeavingContext;
import org.aspectj.weaver.loadtime.ClassLoaderWeavingAdaptor;
import org.aspectj.weaver.loadtime.DefaultWeavingContext;
import org.aspectj.weaver.loadtime.definition.Definition;
import org.aspectj.weaver.tools.WeavingAdaptor;

/**
 * AspectJ's weaver for the classes of one class loader. Holds the loader weakly, prints nothing,
 * and says its troubles to whom it is given. Which classes it gets is decided elsewhere.
 */
final class LoaderWeaver extends ClassLoaderWeavingAdaptor {

  /** Said of one that this class loader does not know, too: then it matches nothing here. */
  private static final String UNKNOWN_ANNOTATION = "Type referred to is not an annotation type";

  private final Consumer<String> complaints;

  /**
   * @param complaints hears each warning and error of the weaver
   */
  LoaderWeaver(ClassLoader loader, Definition definition, Consumer<String> complaints) {
    this.complaints = complaints;
    initialize(loader, new PlannedContext(loader, definition));
  }

  boolean hasAspects() {
    return weaver != null;
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
    setMessageHandler(new ReportingHandler(complaints));
  }

  @Override
  protected boolean accept(String className, byte[] bytecode) {
    return true;
  }

  private static final class PlannedContext extends DefaultWeavingContext {
    private final Definition definition;

    PlannedContext(ClassLoader loader, Definition definition) {
      super(loader);
      this.definition = definition;
    }

    @Override
    public List<Definition> getDefinitions(ClassLoader loader, WeavingAdaptor adaptor) {
      // An own stage's class is in the JVM already, beside the other aspects.
      ((LoaderWeaver) adaptor).generatedClassHandler = (name, original, woven) -> {};
      return Collections.singletonList(definition);
    }
  }

  private static final class ReportingHandler implements IMessageHandler {
    private final Consumer<String> complaints;

    ReportingHandler(Consumer<String> complaints) {
      this.complaints = complaints;
    }

    @Override
    public boolean handleMessage(IMessage message) {
      if (IMessage.WARNING.isSameOrLessThan(message.getKind())
          && !message.getMessage().contains(UNKNOWN_ANNOTATION)) {
        complaints.accept(message.toString());
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
