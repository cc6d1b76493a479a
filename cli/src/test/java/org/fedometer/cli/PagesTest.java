package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Links, commands, options and budgets of the pages. */
class PagesTest {
  private static final Path ROOT = Fedometer.ROOT;
  private static final Path MKDOCS = Path.of("/usr/bin/mkdocs");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");
  private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```.*?^```$");
  private static final Pattern CALL =
      Pattern.compile("(?m)(?:^|[`( ])(?:\\./|bin/)?fedometer ((?:[a-z-]+ ?)+)([^`\n#|]*)");
  private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--[a-z][a-z-]*");

  /** Options of other programs in examples. */
  private static final Set<String> FOREIGN =
      Set.of("--auth", "--export-json", "--no-install-recommends");

  private static final Map<String, Integer> MAX_WORDS = new HashMap<>();

  static {
    MAX_WORDS.put("README.md", 500);
    MAX_WORDS.put("docs", 30_000);
    MAX_WORDS.put("docs/developers and docs/decisions", 13_000);
    MAX_WORDS.put("decision", 300);
  }

  @Test
  void linksLeadToPagesAndHeadings() throws Exception {
    List<String> dead = new ArrayList<>();
    for (Path page : pages()) {
      Matcher links = LINK.matcher(BLOCK.matcher(Files.readString(page)).replaceAll(""));
      while (links.find()) {
        String link = links.group(1);
        if (link.contains(":")) {
          continue;
        }
        String[] fileAndAnchor = link.split("#", 2);
        Path target =
            fileAndAnchor[0].isEmpty() ? page : page.resolveSibling(fileAndAnchor[0]).normalize();
        if (!Files.exists(target)
            || fileAndAnchor.length > 1 && !anchors(target).contains(fileAndAnchor[1])) {
          dead.add(ROOT.relativize(page) + ": " + link);
        }
      }
    }
    assertThat(dead).isEmpty();
  }

  @Test
  void callsNameCommandsAndTheirOptions() throws Exception {
    List<String> wrong = new ArrayList<>();
    for (Path page : pages()) {
      Matcher calls = CALL.matcher(Files.readString(page));
      while (calls.find()) {
        CommandLine command = Main.commandLine();
        for (String word : calls.group(1).strip().split(" ")) {
          CommandLine next = command.getSubcommands().get(word);
          if (next == null) {
            break;
          }
          command = next;
        }
        String call = calls.group().strip();
        if (command.getParent() == null && !calls.group(1).startsWith("--")) {
          wrong.add(ROOT.relativize(page) + ": " + call);
          continue;
        }
        Set<String> known = command.getCommandSpec().optionsMap().keySet();
        Matcher options = OPTION.matcher(calls.group(2));
        while (options.find()) {
          if (!known.contains(options.group())) {
            wrong.add(ROOT.relativize(page) + ": " + options.group() + " of " + call);
          }
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void optionsExist() throws Exception {
    Set<String> known =
        all(Main.commandLine())
            .flatMap(command -> command.getCommandSpec().optionsMap().keySet().stream())
            .collect(Collectors.toSet());
    List<String> unknown = new ArrayList<>();
    for (Path page : pages()) {
      Matcher code = CODE.matcher(BLOCK.matcher(Files.readString(page)).replaceAll(""));
      while (code.find()) {
        Matcher options = OPTION.matcher(code.group(1));
        while (options.find()) {
          if (!known.contains(options.group()) && !FOREIGN.contains(options.group())) {
            unknown.add(ROOT.relativize(page) + ": " + code.group(1));
          }
        }
      }
    }
    assertThat(unknown).isEmpty();
  }

  @Test
  void pagesKeepToTheirBudgets() throws Exception {
    assertThat(words(ROOT.resolve("README.md"))).isLessThanOrEqualTo(MAX_WORDS.get("README.md"));
    assertThat(wordsBelow("docs")).isLessThanOrEqualTo(MAX_WORDS.get("docs"));
    assertThat(wordsBelow("docs/developers") + wordsBelow("docs/decisions"))
        .isLessThanOrEqualTo(MAX_WORDS.get("docs/developers and docs/decisions"));
    for (Path decision : markdown("docs/decisions")) {
      assertThat(words(decision))
          .as(decision.toString())
          .isLessThanOrEqualTo(MAX_WORDS.get("decision"));
    }
  }

  @Test
  void pagesBuildAsASite(@TempDir Path folder) throws Exception {
    Requirement.require(MKDOCS.toFile().canExecute(), "mkdocs is there: apt-get install mkdocs");
    Path log = folder.resolve("log");
    Process mkdocs =
        new ProcessBuilder(
                MKDOCS.toString(),
                "build",
                "--strict",
                "--site-dir",
                folder.resolve("site").toString())
            .directory(ROOT.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    assertThat(mkdocs.waitFor(120, TimeUnit.SECONDS)).isTrue();
    assertThat(mkdocs.exitValue()).as(Files.readString(log)).isZero();
  }

  private static Stream<CommandLine> all(CommandLine command) {
    return Stream.concat(
        Stream.of(command), command.getSubcommands().values().stream().flatMap(PagesTest::all));
  }

  private static List<Path> pages() throws IOException {
    List<Path> pages =
        new ArrayList<>(List.of(ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md")));
    for (String folder : List.of("docs", "docs/developers", "docs/decisions")) {
      pages.addAll(markdown(folder));
    }
    return pages;
  }

  private static List<Path> markdown(String folder) throws IOException {
    try (Stream<Path> files = Files.list(ROOT.resolve(folder))) {
      return files.filter(file -> file.toString().endsWith(".md")).sorted().toList();
    }
  }

  private static long wordsBelow(String folder) throws IOException {
    long words = 0;
    for (Path page : markdown(folder)) {
      words += words(page);
    }
    return words;
  }

  private static long words(Path page) throws IOException {
    return Pattern.compile("\\S+").matcher(Files.readString(page)).results().count();
  }

  /** The anchors that code hosts give to headings. */
  private static Set<String> anchors(Path page) throws IOException {
    if (!page.toString().endsWith(".md")) {
      return Set.of();
    }
    return HEADING
        .matcher(BLOCK.matcher(Files.readString(page)).replaceAll(""))
        .results()
        .map(
            heading ->
                heading
                    .group(1)
                    .strip()
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .replace(' ', '-'))
        .collect(Collectors.toSet());
  }
}
