/**
 * Loads a dataset into a Fedora and checks that it arrived: {@link
 * org.fedometer.driver.IngestDriver} sends, {@link org.fedometer.driver.Attempts} has the rules by
 * which every answer is judged, {@link org.fedometer.driver.Verifier} looks afterwards. Knows
 * Fedora by its REST interface only, through {@link org.fedometer.driver.FedoraClient}.
 */
package org.fedometer.driver;
