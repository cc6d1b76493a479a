/** Checks before anything is begun: of the machine, the profile, the repository. */
package org.fedometer.experiments.check;
