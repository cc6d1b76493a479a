package org.fedometer.profiles.stack;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.fedometer.profiles.stack.database.DatabaseServer;
import org.fedometer.profiles.stack.home.ConfigurationFiles;
import org.fedometer.profiles.stack.home.Masking;
import org.fedometer.profiles.stack.home.Secrets;
import org.fedometer.profiles.stack.home.StackDocument;
import org.fedometer.profiles.stack.home.StackFolders;
import org.fedometer.profiles.stack.program.LinuxProcess;

/** What of a stack is to be put on record: its files, by name, and texts without their secrets. */
record StackRecord(StackFolders folders, StackDocument document) {

  /** What stands for bytes that are not UTF-8. */
  private static final char REPLACEMENT = '\uFFFD';

  Map<String, Path> configurationFiles() throws IOException {
    Map<String, Path> files = new TreeMap<>();
    files.put("fedora.jfc", folders.flightRecordingSettings());
    files.put("install.properties", folders.installProperties());
    DatabaseServer.of(folders, document).stream()
        .flatMap(server -> server.configurationFiles().stream())
        .forEach(file -> files.put(file.getFileName().toString(), file));
    files.values().removeIf(path -> !Files.isRegularFile(path));
    new ConfigurationFiles("", folders.fedoraConfiguration()).addTo(files);
    new ConfigurationFiles("tomcat/", folders.tomcat().resolve("conf")).addTo(files);
    new ConfigurationFiles("policies/", folders.policies()).addTo(files);
    return files;
  }

  Map<String, Path> logs() {
    Map<String, Path> logs = new LinkedHashMap<>();
    logs.put("fedora.log", folders.fedoraLog());
    logs.put("fedora-console.log", folders.consoleLog());
    folders.gcLogParts().forEach(file -> logs.put(file.getFileName().toString(), file));
    DatabaseServer.of(folders, document)
        .ifPresent(server -> logs.put(server.log().getFileName().toString(), server.log()));
    logs.put("derby.log", folders.derbyLog());
    logs.put("install.log", folders.installLog());
    logs.put(HomeScan.LOG, folders.logs().resolve(HomeScan.LOG));
    logs.values().removeIf(path -> !Files.isRegularFile(path));
    return logs;
  }

  Map<String, Path> recordings() {
    Map<String, Path> recordings = new LinkedHashMap<>();
    folders.flightRecordings().forEach(file -> recordings.put(file.getFileName().toString(), file));
    recordings.values().removeIf(path -> !Files.isRegularFile(path));
    return recordings;
  }

  String masked(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    String text = new String(bytes, StandardCharsets.UTF_8);
    // Somebody's comments in another encoding must not cost the run its record.
    boolean unicode = text.indexOf(REPLACEMENT) < 0;
    return masking().mask(unicode ? text : new String(bytes, StandardCharsets.ISO_8859_1));
  }

  /** Knows the stack's secrets as they are now. */
  Masking masking() throws IOException {
    return new Masking(Secrets.existing(folders));
  }

  List<String> command() throws IOException {
    Masking masking = masking();
    return document.session().command().stream().map(masking::mask).toList();
  }

  List<StackProcess> processes() throws IOException {
    Masking masking = masking();
    return document.session().processes().stream()
        .filter(LinuxProcess::isAlive)
        .map(
            process ->
                new StackProcess(
                    process.role(),
                    process.pid(),
                    process.command().stream().map(masking::mask).toList()))
        .toList();
  }
}
