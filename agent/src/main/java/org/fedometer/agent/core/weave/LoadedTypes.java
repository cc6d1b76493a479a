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
 * The classes that a JVM has loaded, and their class files. Jars are opened once each and closed at
 * the end: the JDK's own cache of them would keep a webapp's jars open after it is gone. One
 * thread.
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

  /** The class of this name that the loader has defined; null where it has not, or not yet. */
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
   * The class file, to be closed by the caller; null where it cannot be found.
   *
   * @param type of a class loader of its own
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
