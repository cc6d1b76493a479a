package org.fedometer.agent;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;

/**
 * Loads the agent core (weaver, wire, drainer) from a folder of the agent's jar that no other class
 * loader searches. The system class loader has the same jar, but not the folder's prefix and the
 * class files' suffix.
 *
 * <p>Searches its own classes first. From outside it uses the JDK and {@code
 * org.fedometer.aspects}, which must be the same classes that Fedora's woven code calls.
 */
final class IsolatedClassLoader extends ClassLoader implements AutoCloseable {

  /** Folder and suffix that the build gives the agent core. */
  private static final String FOLDER = "inside/";

  /** Subfolder for resources whose name several libraries share. */
  private static final String ALTERNATIVES_FOLDER = "also/";

  private static final String CLASS_SUFFIX = ".classdata";
  private static final String SHARED_PACKAGES = "org.fedometer.aspects.";

  /** Its classes print errors, and standard error is Fedora's. */
  private static final String SILENCED_PACKAGES = "org.aspectj.";

  private static final String SILENCER_CLASS = "org.fedometer.agent.core.weave.OutputSilencer";

  static {
    registerAsParallelCapable();
  }

  private final File agentJarFile;
  private final JarFile agentJar;
  private final ClassLoader shared;

  private volatile UnaryOperator<byte[]> silencerOrNull;

  /**
   * @param agentJarFile the agent's own jar; stays open until {@link #close}
   * @param shared has the aspects and their recorder
   */
  IsolatedClassLoader(File agentJarFile, ClassLoader shared) throws IOException {
    // The extension loader (Java 8) or platform loader: the JDK without the class path.
    super(ClassLoader.getSystemClassLoader().getParent());
    this.agentJarFile = agentJarFile;
    this.agentJar = new JarFile(agentJarFile);
    this.shared = shared;
  }

  /** Classes not loaded before can no longer be loaded. */
  @Override
  public void close() {
    try {
      agentJar.close();
    } catch (IOException e) {
      // It was only read.
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (name.startsWith(SHARED_PACKAGES)) {
      return shared.loadClass(name);
    }
    if (name.startsWith("java.")) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded == null) {
        byte[] bytecode = bytecodeOf(name);
        if (bytecode != null && name.startsWith(SILENCED_PACKAGES)) {
          bytecode = silencer().apply(bytecode);
        }
        loaded =
            bytecode == null
                ? super.loadClass(name, false)
                : defineClass(name, bytecode, 0, bytecode.length);
      }
      if (resolve) {
        resolveClass(loaded);
      }
      return loaded;
    }
  }

  @SuppressWarnings("unchecked")
  private UnaryOperator<byte[]> silencer() throws ClassNotFoundException {
    UnaryOperator<byte[]> silencer = silencerOrNull;
    if (silencer == null) {
      try {
        silencer = (UnaryOperator<byte[]>) loadClass(SILENCER_CLASS).getConstructor().newInstance();
      } catch (ReflectiveOperationException e) {
        throw new ClassNotFoundException(SILENCER_CLASS + " cannot be created", e);
      }
      silencerOrNull = silencer;
    }
    return silencer;
  }

  @Override
  public URL getResource(String name) {
    URL found = findResource(name);
    return found != null ? found : super.getResource(name);
  }

  @Override
  protected URL findResource(String name) {
    try {
      return entryOrNull(name) == null
          ? null
          : new URL("jar:" + agentJarFile.toURI() + "!/" + entryOf(name));
    } catch (IOException e) {
      return null;
    }
  }

  @Override
  protected Enumeration<URL> findResources(String name) {
    List<URL> resources = new ArrayList<>();
    for (String each : new String[] {name, ALTERNATIVES_FOLDER + name}) {
      URL found = findResource(each);
      if (found != null) {
        resources.add(found);
      }
    }
    return Collections.enumeration(resources);
  }

  @Override
  public InputStream getResourceAsStream(String name) {
    ZipEntry entry = entryOrNull(name);
    try {
      return entry == null ? super.getResourceAsStream(name) : agentJar.getInputStream(entry);
    } catch (IOException | IllegalStateException e) {
      return null;
    }
  }

  private byte[] bytecodeOf(String className) throws ClassNotFoundException {
    ZipEntry entry = entryOrNull(className.replace('.', '/') + ".class");
    if (entry == null) {
      return null;
    }
    try (InputStream in = agentJar.getInputStream(entry)) {
      ByteArrayOutputStream bytecode =
          new ByteArrayOutputStream((int) Math.max(entry.getSize(), 1024));
      byte[] buffer = new byte[8192];
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        bytecode.write(buffer, 0, count);
      }
      return bytecode.toByteArray();
    } catch (IOException | IllegalStateException e) {
      // The latter if the jar is being closed.
      throw new ClassNotFoundException(className + " cannot be read from " + agentJarFile, e);
    }
  }

  /** Returns null after {@link #close} too: JDK classes stay available. */
  private ZipEntry entryOrNull(String name) {
    try {
      return agentJar.getEntry(entryOf(name));
    } catch (IllegalStateException givenBack) {
      return null;
    }
  }

  private static String entryOf(String name) {
    return FOLDER
        + (name.endsWith(".class")
            ? name.substring(0, name.length() - ".class".length()) + CLASS_SUFFIX
            : name);
  }
}
