package org.fedometer.agent.core.weave;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLConnection;
import java.util.HashMap;
import java.util.Map;
import java.util.jar.JarFile;

/**
 * The classes loaded by a JVM, and their class files. Each jar is opened once and closed at the
 * end: the JDK's own cache would keep a web application's jars open after its end. One thread.
 */
final class LoadedTypes implements AutoCloseable {

  private final Class<?>[] all;
  private final Map<URI, JarFile> jars = new HashMap<>();

  /** By loader and name. */
  private Map<ClassLoader, Map<String, Class<?>>> byName;

  LoadedTypes(Class<?>... all) {
    this.all = all;
  }

  Class<?>[] all() {
    return all;
  }

  TypeFacts factsOf(Class<?> type) {
    return TypeFacts.of(type, this);
  }

  /** Returns the class of this name defined by the loader; null if there is none yet. */
  Class<?> loadedOrNull(ClassLoader loader, String name) {
    if (byName == null) {
      byName = new HashMap<>();
      for (Class<?> type : all) {
        byName
            .computeIfAbsent(type.getClassLoader(), any -> new HashMap<>())
            .put(type.getName(), type);
      }
    }
    Map<String, Class<?>> loaders = byName.get(loader);
    return loaders == null ? null : loaders.get(name);
  }

  /**
   * Returns the class file, to be closed by the caller; null if it is not found.
   *
   * @param type with a non-null class loader
   */
  InputStream classFileOrNull(Class<?> type) throws IOException {
    URL url = type.getClassLoader().getResource(type.getName().replace('.', '/') + ".class");
    if (url == null) {
      return null;
    }
    URLConnection connection = url.openConnection();
    connection.setUseCaches(false);
    if (connection instanceof JarURLConnection) {
      JarURLConnection inJar = (JarURLConnection) connection;
      JarFile jar = jarOrNull(inJar.getJarFileURL());
      if (jar != null && inJar.getEntryName() != null) {
        return jar.getInputStream(jar.getEntry(inJar.getEntryName()));
      }
    }
    return connection.getInputStream();
  }

  private JarFile jarOrNull(URL url) throws IOException {
    if (!url.getProtocol().equals("file")) {
      return null;
    }
    try {
      URI uri = url.toURI();
      JarFile jar = jars.get(uri);
      if (jar == null) {
        jar = new JarFile(new File(uri), false);
        jars.put(uri, jar);
      }
      return jar;
    } catch (URISyntaxException | IllegalArgumentException noPath) {
      return null;
    }
  }

  @Override
  public void close() {
    for (JarFile jar : jars.values()) {
      try {
        jar.close();
      } catch (IOException e) {
        // It was only read.
      }
    }
    jars.clear();
  }
}
