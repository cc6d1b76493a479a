package org.fedometer.agent.core.weave;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.aspectj.bridge.IMessage;
import org.aspectj.bridge.IMessageHandler;
import org.aspectj.bridge.context.CompilationAndWeavingContext;
import org.aspectj.weaver.bcel.asm.AsmDetector;
import org.aspectj.weaver.loadtime.ClassLoaderWeavingAdaptor;
import org.aspectj.weaver.loadtime.DefaultWeavingContext;
import org.aspectj.weaver.loadtime.definition.Definition;
import org.aspectj.weaver.tools.WeavingAdaptor;
import org.fedometer.wire.FailureText;

/**
 * AspectJ's weaver for the classes of one class loader. Holds the loader weakly, prints nothing,
 * and reports its messages to a consumer. Its callers select the classes.
 */
final class LoaderWeaver extends ClassLoaderWeavingAdaptor {

  /**
   * Also the message for an annotation that this class loader does not know; it then matches
   * nothing here.
   */
  private static final String UNKNOWN_ANNOTATION = "Type referred to is not an annotation type";

  /** Current consumer of the weaver's warnings and errors. */
  private Consumer<String> complaints;

  private Throwable abortOrNull;

  /**
   * @param complaints accepts each warning and error about the aspects
   */
  LoaderWeaver(ClassLoader loader, Definition definition, Consumer<String> complaints) {
    this.complaints = complaints;
    initialize(loader, new PlannedContext(loader, definition));
    if (abortOrNull instanceof OutOfMemoryError) {
      throw (OutOfMemoryError) abortOrNull;
    }
    if (abortOrNull != null) {
      complaints.accept(
          "the weaver does not accept the aspects: " + FailureText.inOneLine(abortOrNull));
    }
  }

  boolean hasAspects() {
    return weaver != null;
  }

  /**
   * @param about accepts each warning and error about this class
   * @return the woven class; null or the same bytes if there is nothing to weave
   * @throws IllegalStateException if the weaver has aborted the class, or has no aspects
   */
  synchronized byte[] weave(String internalName, byte[] bytecode, Consumer<String> about)
      throws IOException {
    if (!hasAspects()) {
      throw new IllegalStateException("it does not accept the aspects");
    }
    Consumer<String> aboutAspects = complaints;
    complaints = about;
    abortOrNull = null;
    try {
      // Left by an earlier weaving of this class; stale when it is transformed again.
      flushGeneratedClassesFor(internalName);
      byte[] woven = weaveClass(internalName, bytecode, false);
      if (abortOrNull instanceof OutOfMemoryError) {
        throw (OutOfMemoryError) abortOrNull;
      }
      if (abortOrNull != null) {
        throw new IllegalStateException(
            "it cannot weave the class: " + FailureText.of(abortOrNull), abortOrNull);
      }
      requireStackMaps();
      return woven;
    } finally {
      complaints = aboutAspects;
      abortOrNull = null;
      CompilationAndWeavingContext.resetForThread();
    }
  }

  /** If stack maps fail for one class, AspectJ creates none for all later classes. */
  private static void requireStackMaps() {
    if (!AsmDetector.isAsmAround) {
      AsmDetector.isAsmAround = true;
      if (AsmDetector.rootCause instanceof OutOfMemoryError) {
        throw (OutOfMemoryError) AsmDetector.rootCause;
      }
      throw new IllegalStateException(
          "it cannot compute the class's stack maps"
              + (AsmDetector.rootCause == null
                  ? ""
                  : ": " + FailureText.of(AsmDetector.rootCause)));
    }
  }

  @Override
  protected void createMessageHandler() {
    super.createMessageHandler();
    setMessageHandler(new ReportingHandler());
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
      // A custom stage's class is already in the JVM, beside the other aspects.
      ((LoaderWeaver) adaptor).generatedClassHandler = (name, original, woven) -> {};
      return Collections.singletonList(definition);
    }
  }

  private final class ReportingHandler implements IMessageHandler {
    @Override
    public boolean handleMessage(IMessage message) {
      if (message.isAbort()) {
        // Its text is the whole class, disassembled.
        Throwable thrown = message.getThrown();
        abortOrNull = thrown != null ? thrown : new IllegalStateException(message.getMessage());
      } else if (IMessage.WARNING.isSameOrLessThan(message.getKind())
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
      // The set is fixed.
    }

    @Override
    public void ignore(IMessage.Kind kind) {
      // The set is fixed.
    }
  }
}
