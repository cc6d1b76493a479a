package org.fedometer.experiments.load;

import java.util.List;
import org.fedometer.store.RunDocument;

/**
 * Deviations of a load from the requested one, by {@code System.nanoTime()}, oldest first.
 *
 * @param outages of Fedora and of drivers
 */
public record LoadHistory(
    List<RunDocument.Outage> outages,
    List<RunDocument.Pause> pauses,
    List<RunDocument.LoadChange> changes) {}
