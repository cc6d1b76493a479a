/** Commands about datasets, and the options by which one is chosen. */
package org.fedometer.cli.dataset;
