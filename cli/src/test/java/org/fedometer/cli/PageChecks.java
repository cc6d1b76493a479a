package org.fedometer.cli;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.assertj.core.api.SoftAssertions;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Requirements of every page: no errors, self-contained, as wide as the screen, usable by keyboard,
 * and immune to its data. For tests of pages, on the thread of their {@link Browser}.
 */
final class PageChecks {

  /** For {@code readyWhen}: a page that is complete when it is loaded. */
  static final String LOADED = "return document.readyState === 'complete'";

  private static final Duration FOCUS_TIMEOUT = Duration.ofSeconds(10);

  /** Walks by Tab through a page that goes on to get elements. */
  private static final int MAX_WALKS = 5;

  /** How people look at a page; it is opened anew for each. */
  private enum Appearance {
    WIDE_AND_LIGHT("wide, light", Browser.WIDE, Browser::wide, Browser::light),
    WIDE_AND_DARK("wide, dark", Browser.WIDE, Browser::wide, Browser::dark),
    NARROW_AND_LIGHT("narrow, light", Browser.NARROW, Browser::narrow, Browser::light),
    NARROW_AND_DARK("narrow, dark", Browser.NARROW, Browser::narrow, Browser::dark);

    final String label;
    final int width;
    private final Consumer<Browser> size;
    private final Consumer<Browser> colours;

    Appearance(String label, int width, Consumer<Browser> size, Consumer<Browser> colours) {
      this.label = label;
      this.width = width;
      this.size = size;
      this.colours = colours;
    }

    void applyTo(Browser browser) {
      size.accept(browser);
      colours.accept(browser);
    }
  }

  /** Interactive elements, and their names for messages. */
  private static final String ELEMENTS =
      """
      const INTERACTIVE = 'a[href], area[href], button, input:not([type=hidden]), select, textarea,'
          + ' details > summary:first-of-type, [contenteditable=""], [contenteditable=true],'
          + ' [onclick], [tabindex]:not([tabindex="-1"]),'
          + ['button', 'link', 'checkbox', 'switch', 'slider', 'spinbutton', 'textbox', 'combobox',
              'searchbox', 'tab', 'radio', 'menuitem', 'option', 'treeitem']
              .map(role => `[role=${role}]`).join();
      // Of these, Tab goes to one member, and the arrow keys to the others.
      const GROUPS = ['tablist', 'radiogroup', 'menu', 'menubar', 'listbox', 'tree', 'treegrid',
          'grid', 'toolbar'].map(role => `[role=${role}]`).join();
      const shown = element => element.checkVisibility({visibilityProperty: true})
          && !element.closest('[inert]') && !element.matches(':disabled, option');
      const told = element => {
        const text = element.cloneNode(false).outerHTML.replace(/<\\/[^>]*>$/, '');
        const inside = (element.textContent || '').trim().replace(/\\s+/g, ' ').slice(0, 60);
        return text.slice(0, 200) + inside;
      };
      """;

  /** Visible properties of an element, and of its substitute, that focus can change. */
  private static final String SIGNS =
      """
      const clear = colour => /^rgba\\(.*, 0\\)$|^transparent$/.test(colour);
      const line = (style, width, colour) =>
          style === 'none' || parseFloat(width) === 0 || clear(colour)
              ? '' : [style, width, colour].join(' ');
      const sign = (element, pseudo) => {
        const s = getComputedStyle(element, pseudo);
        return [line(s.outlineStyle, s.outlineWidth, s.outlineColor), s.boxShadow,
            ...['Top', 'Right', 'Bottom', 'Left'].map(side => line(s['border' + side + 'Style'],
                s['border' + side + 'Width'], s['border' + side + 'Color'])),
            s.backgroundColor, s.backgroundImage, s.color, s.textDecorationLine, s.fill, s.stroke,
            s.strokeWidth, s.transform, s.filter, s.content].join('|');
      };
      const signs = element =>
          [element, ...(element.labels || []), element.parentElement, element.nextElementSibling]
              .filter(each => each)
              .flatMap(each => [sign(each), sign(each, '::before'), sign(each, '::after')]).join();
      """;

  private static final String START_WALK =
      ELEMENTS
          + SIGNS
          + """
          document.activeElement?.blur();
          window.fedometerWalk = {visited: new Set(),
              before: new Map([...document.querySelectorAll(INTERACTIVE)].filter(shown)
                  .map(element => [element, signs(element)]))};
          """;

  /** Returns what is wrong with what has the focus, or nothing. */
  private static final String CHECK_FOCUSED =
      ELEMENTS
          + SIGNS
          + """
          const element = document.activeElement, walk = window.fedometerWalk;
          walk.visited.add(element);
          const box = element.getBoundingClientRect();
          if (box.width < 1 || box.height < 1 || box.right <= 0 || box.bottom <= 0
              || box.left >= innerWidth || box.top >= innerHeight) {
            return told(element) + ' has the focus and is not to be seen';
          }
          const s = getComputedStyle(element);
          const before = walk.before.get(element);
          if (line(s.outlineStyle, s.outlineWidth, s.outlineColor) === ''
              && (before === undefined || before === signs(element))) {
            return told(element) + ' looks the same with the focus';
          }
          return '';
          """;

  /** Elements added to a live page since the walk began, perhaps before the focus. */
  private static final String FIND_ADDED =
      ELEMENTS
          + """
          const {before, visited} = window.fedometerWalk;
          return [...document.querySelectorAll(INTERACTIVE)].filter(shown)
              .filter(element => !before.has(element) && !visited.has(element)).map(told);
          """;

  private static final String FIND_UNREACHED =
      ELEMENTS
          + """
          const visited = [...window.fedometerWalk.visited];
          delete window.fedometerWalk;
          const inGroupOf = element => {
            const group = element.parentElement?.closest(GROUPS);
            return group && visited.some(each => group.contains(each));
          };
          const sameRadio = element => element.type === 'radio' && visited.some(each =>
              each.type === 'radio' && each.name === element.name && each.form === element.form);
          return [...document.querySelectorAll(INTERACTIVE)].filter(shown)
              .filter(element => !visited.includes(element)
                  && !inGroupOf(element) && !sameRadio(element))
              .map(told);
          """;

  /** Returns what reaches beyond the screen's right edge, if the page can be scrolled there. */
  private static final String TOO_WIDE =
      ELEMENTS
          + """
          const scrolls = element => element !== document.body && element !== null
              && (getComputedStyle(element).overflowX !== 'visible'
                  || scrolls(element.parentElement));
          const most = arguments[0] + 1, width = document.scrollingElement.scrollWidth;
          if (width <= most && innerWidth <= most) {
            return [];
          }
          return [`the page is ${Math.max(width, innerWidth)} wide`].concat(
              [...document.body.querySelectorAll('*')]
                  .filter(each => each.getBoundingClientRect().right + scrollX > most
                      && !scrolls(each.parentElement))
                  .slice(0, 5).map(told));
          """;

  /** Opens what is folded, tables of charts included. */
  private static final String UNFOLD =
      """
      window.fedometerFolded = [...document.querySelectorAll('details:not([open])')];
      window.fedometerFolded.forEach(each => each.open = true);
      """;

  /** Returns the tables that are cut at the right, and folds again what was folded. */
  private static final String CUT_TABLES =
      ELEMENTS
          + """
          const cut = [...document.querySelectorAll('.scroll')]
              .filter(each => each.scrollWidth > each.clientWidth + 1)
              .map(each => `${each.scrollWidth} > ${each.clientWidth}: ${told(each)}`);
          window.fedometerFolded.forEach(each => each.open = false);
          delete window.fedometerFolded;
          return cut;
          """;

  /** Returns what became of texts that are data. */
  private static final String NOT_TEXT =
      ELEMENTS
          + """
          const faults = [];
          if (window.hacked !== undefined) {
            faults.push(`something set window.hacked to ${window.hacked}`);
          }
          const all = [...document.querySelectorAll('*')];
          for (const text of arguments[0]) {
            // In a document of its own, in which nothing is loaded or run.
            const parsed = new DOMParser().parseFromString(text, 'text/html');
            for (const wanted of parsed.querySelectorAll('head *, body *')) {
              all.filter(each => each.localName === wanted.localName
                      && each.attributes.length >= wanted.attributes.length
                      && [...wanted.attributes].every(a => each.getAttribute(a.name) === a.value)
                      && (wanted.attributes.length > 0
                          || each.textContent === wanted.textContent))
                  .forEach(each => faults.push(`${text} made the element ${told(each)}`));
            }
            for (const each of all) {
              for (const {name, value} of each.attributes) {
                if (/^on/i.test(name) && value.length > 2 && text.includes(value)
                    || /^(href|src|action|formaction|xlink:href)$/i.test(name)
                        && /^\\s*javascript:/i.test(value)) {
                  faults.push(`${text} made ${name} of ${told(each)}`);
                }
              }
            }
          }
          return [...new Set(faults)];
          """;

  /** Script that returns whether the page shows a text, or has it for screen readers. */
  private static final String SHOWS =
      """
      const text = arguments[0], unread = 'script, style, template';
      const read = document.body.cloneNode(true);
      read.querySelectorAll(unread).forEach(each => each.remove());
      return document.title.includes(text) || read.textContent.includes(text)
          || [...document.querySelectorAll('*')].some(each => !each.closest(unread)
              && ([...each.attributes].some(a => a.value.includes(text))
                  || 'value' in each && String(each.value).includes(text)));
      """;

  private PageChecks() {}

  /**
   * Opens a page as wide as a screen and as a phone, in light and in dark colors, and fails with
   * all faults. Leaves it open, wide and light.
   *
   * <p>Faults: console errors; external requests; content wider than the screen; tables that are
   * cut; axe findings of impact serious or critical; elements that Tab does not reach or whose
   * focus is invisible; hostile text that has an effect.
   *
   * @param readyWhen script that returns true once the page is complete; {@link #LOADED} if there
   *     is nothing to wait for
   * @param hostile texts that the page shows literally: markup that would set {@code window.hacked}
   *     if interpreted
   */
  static void check(Browser browser, URI page, String readyWhen, String... hostile) {
    SoftAssertions faults = new SoftAssertions();
    try {
      for (Appearance look : Appearance.values()) {
        look.applyTo(browser);
        browser.reducedMotion(false);
        browser.open(page);
        try {
          browser.waitFor(readyWhen);
          browser.waitForRest();
          check(browser, look, List.of(hostile), faults);
        } catch (AssertionError e) {
          faults.fail("%s: %s", look.label, e.getMessage());
          checkQuiet(browser, look, faults);
        }
      }
    } finally {
      browser.reducedMotion(false);
      browser.wide();
      browser.light();
    }
    faults.assertAll();
  }

  private static void check(
      Browser browser, Appearance look, List<String> hostile, SoftAssertions faults) {
    faults
        .assertThat(browser.texts(TOO_WIDE, look.width))
        .as("%s: what is wider than the screen", look.label)
        .isEmpty();
    faults.assertThat(browser.axe()).as("%s: what axe finds", look.label).isEmpty();
    if (look == Appearance.WIDE_AND_LIGHT || look == Appearance.NARROW_AND_LIGHT) {
      browser.data(UNFOLD);
      browser.waitForRest();
      faults
          .assertThat(browser.texts(CUT_TABLES))
          .as("%s: tables that are cut", look.label)
          .isEmpty();
      checkKeyboard(browser, look, faults);
    }
    for (String text : hostile) {
      try {
        browser.waitFor(SHOWS, text);
      } catch (AssertionError e) {
        faults.fail("%s: nowhere to be read: %s", look.label, text);
      }
    }
    // Before hostile markup is parsed to know it: the page's policy complains of that, too.
    checkQuiet(browser, look, faults);
    faults
        .assertThat(browser.texts(NOT_TEXT, hostile))
        .as("%s: data that is more than text", look.label)
        .isEmpty();
  }

  private static void checkQuiet(Browser browser, Appearance look, SoftAssertions faults) {
    faults
        .assertThat(browser.loadedFromElsewhere())
        .as("%s: what is loaded from elsewhere", look.label)
        .isEmpty();
    faults
        .assertThat(browser.consoleErrors())
        .as("%s: errors in the console", look.label)
        .isEmpty();
  }

  private static void checkKeyboard(Browser browser, Appearance look, SoftAssertions faults) {
    // Smooth scrolling to each stop is slow on a busy machine.
    browser.reducedMotion(true);
    List<String> unseen = walk(browser);
    for (int walks = 1; walks < MAX_WALKS && !browser.texts(FIND_ADDED).isEmpty(); walks++) {
      unseen = walk(browser);
    }
    faults.assertThat(unseen).as("%s: whose focus is not to be seen", look.label).isEmpty();
    faults
        .assertThat(browser.texts(FIND_UNREACHED))
        .as("%s: what Tab does not reach", look.label)
        .isEmpty();
  }

  /** Returns what has the focus at a stop and is not to be seen there. */
  private static List<String> walk(Browser browser) {
    browser.data(START_WALK);
    List<String> unseen = new ArrayList<>();
    browser.tabThrough(
        element -> {
          try {
            // Scrolling and color transitions need a while.
            Awaitility.await()
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .atMost(FOCUS_TIMEOUT)
                .until(() -> browser.data(CHECK_FOCUSED), ""::equals);
          } catch (ConditionTimeoutException e) {
            unseen.add(String.valueOf(browser.data(CHECK_FOCUSED)));
          }
        });
    return unseen;
  }
}
