/**
 * One request, from when it is due to what it came to: {@link
 * org.fedometer.driver.request.Attempts} has the rules by which every answer is judged and asked
 * for again, {@link org.fedometer.driver.request.OutageGate} lets nobody through while Fedora is
 * away, and {@link org.fedometer.driver.request.RequestListener} hears of each.
 */
package org.fedometer.driver.request;
